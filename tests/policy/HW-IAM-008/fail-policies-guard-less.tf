resource "aws_iam_role_policy" "denies" {
  name   = "denies"
  role   = "serve"
  policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = ["s3:GetObject"], Resource = "arn:aws:s3:::weights/*" }] })
}
resource "aws_iam_role_policy" "bound" {
  name   = "bound"
  role   = "ci"
  policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = ["ec2:StopInstances"], Resource = "arn:aws:ec2:us-west-2:111122223333:instance/*", Condition = { Bool = { "aws:MultiFactorAuthPresent" = "true" } } }] })
}
resource "aws_iam_role" "trusted" {
  name               = "trusted"
  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { AWS = "arn:aws:iam::111122223333:role/ci" } }] })
}
