moved {
  from = aws_s3_bucket.old
  to   = aws_s3_bucket.weights
}

resource "aws_s3_bucket" "weights" {
  bucket = "weights-of-k3"
}
