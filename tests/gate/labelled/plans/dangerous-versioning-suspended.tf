resource "aws_s3_bucket_versioning" "state" {
  bucket = "hawser-state"
  versioning_configuration {
    status = "Suspended"
  }
}
