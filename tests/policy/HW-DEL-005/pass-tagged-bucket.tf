resource "aws_s3_bucket" "weights" {
  bucket = "hawser-weights"
  tags   = { team = "inference" }
}
