resource "aws_iam_role_policy" "this" {
  name = "this"
  role = "node"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Action = ["ec2:Describe*", "s3:*"], Resource = ["arn:aws:s3:::weights/*", "*"] }
    ]
  })
}
