output "name" {
  description = "Bucket name, known in the first plan; waits until the bucket is closed and encrypted."
  value       = var.name
  depends_on = [
    aws_s3_bucket_ownership_controls.this,
    aws_s3_bucket_policy.this,
    aws_s3_bucket_server_side_encryption_configuration.this,
    aws_s3_bucket_versioning.this,
  ]
}

output "arn" {
  description = "Bucket ARN, known in the first plan; waits until the bucket is closed and encrypted."
  value       = local.arn
  depends_on = [
    aws_s3_bucket_ownership_controls.this,
    aws_s3_bucket_policy.this,
    aws_s3_bucket_server_side_encryption_configuration.this,
    aws_s3_bucket_versioning.this,
  ]
}
