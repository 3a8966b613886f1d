resource "aws_s3_bucket_public_access_block" "this" {
  bucket                  = "weights"
  block_public_acls       = true
  block_public_policy     = false
  restrict_public_buckets = true
}
resource "aws_s3_account_public_access_block" "this" {
  block_public_acls   = true
  block_public_policy = true
  ignore_public_acls  = true
}
