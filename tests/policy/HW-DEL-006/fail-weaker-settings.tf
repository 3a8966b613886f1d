resource "aws_ecr_repository" "k3" {
  name                 = "k3"
  image_tag_mutability = "MUTABLE"
}
resource "aws_s3_bucket_ownership_controls" "weights" {
  bucket = "k3-weights"
  rule { object_ownership = "ObjectWriter" }
}
