resource "aws_iam_role" "this" {
  name = "this"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Action = "sts:AssumeRole", Principal = { AWS = "*" }, Condition = { ArnLike = { "aws:PrincipalArn" = "arn:aws:iam::111122223333:role/hawser-*" } } },
      { Effect = "Allow", Action = "sts:AssumeRole", Principal = { AWS = "*" }, Condition = { StringEquals = { "aws:PrincipalAccount" = "$${aws:ResourceAccount}" } } },
      { Effect = "Allow", Action = "sts:AssumeRole", Principal = { AWS = "*" }, Condition = { StringNotEquals = { "aws:PrincipalArn" = "arn:aws:iam::111122223333:role/x" }, StringEquals = { "aws:PrincipalAccount" = ["111122223333"] } } }
    ]
  })
}
