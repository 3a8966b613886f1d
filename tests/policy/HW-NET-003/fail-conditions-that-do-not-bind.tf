locals {
  conditions = [
    { StringLike = { "aws:PrincipalArn" = "*" } },
    { StringEqualsIfExists = { "aws:PrincipalOrgID" = "o-0123456789" } },
    { StringNotEquals = { "aws:PrincipalAccount" = "111122223333" } },
    { Bool = { "aws:SecureTransport" = "true" } },
    { IpAddress = { "aws:SourceIp" = ["0.0.0.0/1", "128.0.0.0/1"] } },
    { IpAddress = { "aws:VpcSourceIp" = ["10.0.0.0/16"] } },
  ]
}
resource "aws_s3_bucket_policy" "this" {
  bucket = "weights"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat(
      [for one in local.conditions : {
        Effect = "Allow", Principal = "*", Action = "s3:GetObject", Resource = "arn:aws:s3:::weights/*", Condition = one
      }],
      [{
        Effect       = "Allow"
        NotPrincipal = { AWS = "arn:aws:iam::111122223333:root" }
        Action       = "s3:GetObject"
        Resource     = "arn:aws:s3:::weights/*"
      }]
    )
  })
}
