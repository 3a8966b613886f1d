resource "aws_iam_policy" "exec" {
  name = "exec"
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", NotAction = ["iam:DeleteRole"], Resource = "*" }]
  })
}
