resource "aws_iam_role_policy" "serve" {
  name = "serve"
  role = "serve"
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = ["s3:GetObject"], Resource = "arn:aws:s3:::weights/*" }]
  })
}
