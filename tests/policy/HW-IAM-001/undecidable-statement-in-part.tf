resource "aws_iam_policy" "this" {
  name = "this"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Resource = "*" },
      { Action = "s3:GetObject", Resource = "arn:aws:s3:::weights/*" },
      { Effect = "Allow", Action = "s3:*", Resource = "*" },
      { Effect = "allow", Action = "s3:GetObject", Resource = "arn:aws:s3:::weights/*" },
    ]
  })
}
