resource "aws_s3_bucket_lifecycle_configuration" "weights" {
  bucket = "hawser-weights"
  rule {
    id     = "tidy"
    status = "Enabled"
    filter {}
    expiration {
      days = 1
    }
  }
}
