resource "aws_iam_policy" "this" {
  name = "this"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Action = "iam:*Policy*", Resource = "*" },
      { Effect = "Allow", Action = ["s3:GetObject", "iam:PutRolePolicy"], Resource = "*" },
      { Effect = "Allow", Action = "iam:Attach*", Resource = "arn:aws:iam::111122223333:role/*" },
      { Effect = "Allow", Action = "iam:create?olicyVersion", Resource = "*" }
    ]
  })
}
