resource "aws_ecr_lifecycle_policy" "old" {
  repository = "k3"
  policy     = jsonencode({ rules = [{ rulePriority = 1, selection = { tagStatus = "any", countType = "imageCountMoreThan", countNumber = 1 }, action = { type = "expire" } }] })
}
