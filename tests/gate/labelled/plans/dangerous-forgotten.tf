removed {
  from = aws_s3_bucket.weights
  lifecycle {
    destroy = false
  }
}
