resource "aws_iam_role" "reader" {
  name = "reader"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { AWS = ["arn:aws:iam::444455556666:role/partner", "111122223333"] }
      Condition = { StringEquals = { "sts:ExternalId" = "7f3c" } }
    }]
  })
}
resource "aws_kms_key" "data" {
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Action = "kms:*", Resource = "*", Principal = { AWS = "arn:aws:iam::111122223333:root" } },
      { Effect = "Allow", Action = ["kms:Decrypt"], Resource = "*", Principal = { AWS = "arn:aws:iam::444455556666:root" } },
    ]
  })
}
# Everybody of one account, by a condition.
resource "aws_s3_bucket_policy" "weights" {
  bucket = "k3-weights"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = ["s3:GetObject"]
      Resource  = "arn:aws:s3:::k3-weights/*"
      Principal = "*"
      Condition = { StringEquals = { "aws:PrincipalAccount" = "444455556666" } }
    }]
  })
}
resource "aws_kms_grant" "this" {
  key_id            = "1234abcd-12ab-34cd-56ef-1234567890ab"
  grantee_principal = "arn:aws:iam::444455556666:role/reader"
  operations        = ["Decrypt"]
}
resource "aws_lambda_permission" "this" {
  action        = "lambda:InvokeFunction"
  function_name = "resize"
  principal     = "444455556666"
}
# What exists already says which account is the plan's.
resource "aws_iam_role" "node" {
  name               = "node"
  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }] })
}
