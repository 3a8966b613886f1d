resource "aws_s3_bucket" "weights" {
  bucket        = "hawser-weights-2"
  force_destroy = true
}
