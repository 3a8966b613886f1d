output "s3_prefix_list_id" {
  description = "Prefix list of S3 in the region, for security group rules."
  value       = aws_vpc_endpoint.s3.prefix_list_id
}
