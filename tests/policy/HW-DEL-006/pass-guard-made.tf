resource "aws_s3_bucket" "weights" {
  bucket = "weights"
}

resource "aws_s3_bucket_versioning" "weights" {
  bucket = aws_s3_bucket.weights.id
  versioning_configuration {
    status = "Enabled"
  }
}
