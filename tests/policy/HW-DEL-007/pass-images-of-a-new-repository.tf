resource "aws_ecr_repository" "this" {
  name                 = "k3"
  image_tag_mutability = "IMMUTABLE"
}
resource "aws_ecr_lifecycle_policy" "new" {
  repository = aws_ecr_repository.this.name
  policy     = jsonencode({ rules = [{ rulePriority = 1, selection = { tagStatus = "untagged", countType = "sinceImagePushed", countUnit = "days", countNumber = 30 }, action = { type = "expire" } }] })
}
