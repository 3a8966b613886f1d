resource "aws_iam_policy" "this" {
  name = "this"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", NotAction = ["iam:*"], Resource = "*" }
    ]
  })
}
