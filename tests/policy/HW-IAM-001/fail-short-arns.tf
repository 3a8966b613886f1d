resource "aws_iam_policy" "this" {
  name = "this"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [for resource in ["arn:aws:s3:::*", "arn:*", "arn:aws:*", "*:*", "arn:aws:s3*", "arn:*:s3:*:*:*"] :
      { Effect = "Allow", Action = "s3:*", Resource = resource }
    ]
  })
}
