locals {
  conditions = [
    { StringEquals = { "aws:PrincipalOrgID" = "o-0123456789" } },
    { StringEquals = { "aws:SourceAccount" = "111122223333" } },
    { ArnLike = { "aws:SourceArn" = "arn:aws:s3:*:111122223333:weights" } },
    { StringEquals = { "kms:CallerAccount" = "111122223333" } },
    { IpAddress = { "aws:SourceIp" = ["203.0.113.0/24"] } },
    { StringEquals = { "aws:SourceVpc" = "vpc-0123456789abcdef0" } },
    { StringEquals = { "aws:SourceVpce" = "vpce-0123456789abcdef0" }, IpAddress = { "aws:VpcSourceIp" = ["10.0.0.0/16"] } },
    { Bool = { "elasticfilesystem:AccessedViaMountTarget" = "true" } },
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
      [
        { Effect = "Deny", Principal = "*", Action = "s3:*", Resource = "arn:aws:s3:::weights/*",
        Condition = { Bool = { "aws:SecureTransport" = "false" } } },
        { Effect = "Allow", Principal = { AWS = "arn:aws:iam::111122223333:root" }, Action = "s3:*", Resource = "*" },
      ]
    )
  })
}
resource "aws_kms_key" "default_policy" {}
resource "aws_lambda_permission" "this" {
  action        = "lambda:InvokeFunction"
  function_name = "serve"
  principal     = "events.amazonaws.com"
}
resource "aws_ami_launch_permission" "this" {
  image_id   = "ami-0123456789abcdef0"
  account_id = "444455556666"
}
resource "aws_s3_bucket_acl" "this" {
  bucket = "weights"
  acl    = "private"
}
