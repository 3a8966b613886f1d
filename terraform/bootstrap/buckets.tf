# Buckets and registry carry no lifecycle guard against a destroy: it is a constant, and the embedded emulator must be able to destroy
# this stack to nothing. On AWS a bucket that holds anything cannot be deleted (force_destroy is false), and the gate judges every destroy.
module "state_bucket" {
  source = "../../modules/encrypted-bucket"

  name              = var.state_bucket
  kms_key_arn       = aws_kms_key.state.arn
  account_id        = var.account_id
  access_log_bucket = aws_s3_bucket.access_logs.bucket
  force_destroy     = var.force_destroy

  # A plan holds secrets, and no approval is good for longer than a week (approval_age_hours, up to 168).
  expire_after_days = { for prefix in [local.approval_prefix, local.bundle_prefix] : "${prefix}/" => 30 }
}

# No statement of its policy allows anything: who reads is who has an IAM policy for it, and hawser gives one to the model server's
# pods only (platform, serving_role.tf).
module "weights_bucket" {
  source = "../../modules/encrypted-bucket"

  name              = var.weights_bucket
  kms_key_arn       = aws_kms_key.artifacts.arn
  account_id        = var.account_id
  access_log_bucket = aws_s3_bucket.access_logs.bucket
  force_destroy     = var.force_destroy
}
