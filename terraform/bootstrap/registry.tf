# No lifecycle policy: the contract names images by digest, and one that no tag names any more may be the one that serves.
resource "aws_ecr_repository" "image" {
  name                 = var.image_repository
  image_tag_mutability = "IMMUTABLE"
  force_delete         = var.force_destroy

  image_scanning_configuration {
    scan_on_push = true
  }

  encryption_configuration {
    encryption_type = "KMS"
    kms_key         = aws_kms_key.artifacts.arn
  }
}
