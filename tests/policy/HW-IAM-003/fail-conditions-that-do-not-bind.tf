resource "aws_iam_policy" "this" {
  name = "this"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Action = "iam:PassRole", Resource = "arn:aws:iam::111122223333:role/node", Condition = { StringLike = { "iam:PassedToService" = "*" } } },
      { Effect = "Allow", Action = "iam:PassRole", Resource = "arn:aws:iam::111122223333:role/node", Condition = { StringLike = { "iam:PassedToService" = "*.amazonaws.com" } } },
      { Effect = "Allow", Action = "iam:PassRole", Resource = "arn:aws:iam::111122223333:role/node", Condition = { StringNotEquals = { "iam:PassedToService" = "ec2.amazonaws.com" } } },
      { Effect = "Allow", Action = "iam:PassRole", Resource = "arn:aws:iam::111122223333:role/node", Condition = { StringEqualsIfExists = { "iam:PassedToService" = "ec2.amazonaws.com" } } },
      { Effect = "Allow", Action = "iam:PassRole", Resource = "arn:aws:iam::111122223333:role/node", Condition = { "ForAllValues:StringEquals" = { "iam:PassedToService" = "ec2.amazonaws.com" } } },
      { Effect = "Allow", Action = "iam:PassRole", Resource = "arn:aws:iam::111122223333:role/node", Condition = { Null = { "iam:PassedToService" = "false" } } }
    ]
  })
}
