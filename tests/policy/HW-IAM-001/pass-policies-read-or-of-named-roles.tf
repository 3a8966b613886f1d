resource "aws_iam_policy" "this" {
  name = "this"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Action = ["iam:Get*Policy*", "iam:List*"], Resource = "*" },
      { Effect = "Allow", Action = "iam:PutRolePolicy", Resource = "arn:aws:iam::111122223333:role/hawser-node" }
    ]
  })
}
