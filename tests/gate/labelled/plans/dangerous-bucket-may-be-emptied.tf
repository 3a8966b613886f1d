resource "aws_s3_bucket" "weights" {
  bucket        = "weights"
  force_destroy = true
}
