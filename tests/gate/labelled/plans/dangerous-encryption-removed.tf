resource "aws_s3_bucket" "weights" {
  bucket = "weights"
}
