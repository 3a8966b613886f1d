resource "aws_iam_policy" "this" {
  name = "this"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Action = "iam:PassRole", Resource = "arn:aws:iam::111122223333:role/hawser-*", Condition = { StringLike = { "iam:PassedToService" = ["eks.*", "eks-*.amazonaws.com"] } } },
      { Effect = "Allow", Action = "iam:PassRole", Resource = "arn:aws:iam::111122223333:role/team/*", Condition = { "ForAnyValue:StringEquals" = { "iam:PassedToService" = ["ec2.amazonaws.com"] } } }
    ]
  })
}
