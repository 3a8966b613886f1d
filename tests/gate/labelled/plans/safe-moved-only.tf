moved {
  from = aws_s3_bucket.weights
  to   = aws_s3_bucket.models["k3.weights"]
}

resource "aws_s3_bucket" "models" {
  for_each = toset(["k3.weights"])
  bucket   = "weights"
}

resource "aws_s3_bucket_public_access_block" "models" {
  bucket                  = aws_s3_bucket.models["k3.weights"].id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}
