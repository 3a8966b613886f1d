resource "aws_iam_policy" "this" {
  name = "this"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Action = "iam:PassRole", Resource = "arn:aws:iam::111122223333:role/?*", Condition = { StringEquals = { "iam:PassedToService" = "sagemaker.amazonaws.com" } } },
      { Effect = "Allow", Action = "iam:PassRole", Resource = "arn:aws:iam::*:r*", Condition = { StringEquals = { "iam:PassedToService" = "sagemaker.amazonaws.com" } } },
      { Effect = "Allow", Action = "iam:PassRole", Resource = "arn:aws:iam::111122223333:*", Condition = { StringEquals = { "iam:PassedToService" = "sagemaker.amazonaws.com" } } },
      { Effect = "Allow", Action = "iam:PassRole", Resource = "arn:aws:iam::????????????:role/*/*", Condition = { StringEquals = { "iam:PassedToService" = "sagemaker.amazonaws.com" } } },
      { Effect = "Allow", Action = "iam:PassRole", Resource = "arn:aws:iam::1111*", Condition = { StringEquals = { "iam:PassedToService" = "sagemaker.amazonaws.com" } } }
    ]
  })
}
