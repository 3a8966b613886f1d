resource "aws_iam_role_policy" "ci" {
  name = "ci"
  role = "ci"
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = ["iam:PassRole"], Resource = "arn:aws:iam::111122223333:role/*" }]
  })
}
