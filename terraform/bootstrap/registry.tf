# No lifecycle policy: the contract names images by digest, and one that no tag names any more may be the one that serves.
resource "aws_ecr_repository" "image" {
  for_each = toset(var.image_repository == null ? [] : [var.image_repository])

  name                 = each.key
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
