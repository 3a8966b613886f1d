resource "aws_iam_role" "this" {
  name = "this"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Action = "sts:AssumeRole", Principal = { AWS = "*" }, Condition = { StringNotEquals = { "aws:PrincipalAccount" = "111122223333" } } },
      { Effect = "Allow", Action = "sts:AssumeRole", Principal = { AWS = "*" }, Condition = { StringLike = { "aws:PrincipalArn" = "*" } } },
      { Effect = "Allow", Action = "sts:AssumeRole", Principal = { AWS = "*" }, Condition = { ArnLike = { "aws:PrincipalArn" = "arn:aws:iam::*:role/Admin" } } },
      { Effect = "Allow", Action = "sts:AssumeRole", Principal = { AWS = "*" }, Condition = { StringEqualsIfExists = { "aws:PrincipalOrgID" = "o-0123456789" } } },
      { Effect = "Allow", Action = "sts:AssumeRole", Principal = { AWS = "*" }, Condition = { "ForAllValues:StringEquals" = { "aws:PrincipalOrgID" = "o-0123456789" } } },
      { Effect = "Allow", Action = "sts:AssumeRole", Principal = { AWS = "*" }, Condition = { StringLike = { "aws:PrincipalArn" = ["arn:aws:iam::111122223333:role/a", "arn:aws:iam::*:*"] } } },
      { Effect = "Allow", Action = "sts:AssumeRole", Principal = { AWS = "*" }, Condition = { StringEquals = { "aws:PrincipalAccount" = "$${aws:PrincipalAccount}" } } }
    ]
  })
}
