moved {
  from = aws_s3_bucket.weights
  to   = aws_s3_bucket.models["k3.weights"]
}

resource "aws_s3_bucket" "models" {
  for_each = toset(["k3.weights"])
  bucket   = "weights"
}
