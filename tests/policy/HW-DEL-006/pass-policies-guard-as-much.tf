resource "aws_iam_role_policy" "same" {
  name = "same"
  role = "serve"
  policy = jsonencode({ Version = "2012-10-17", Statement = [
    { Effect = "Deny", Action = ["s3:*", "kms:*"], Resource = ["arn:aws:s3:::weights/private/*", "arn:aws:s3:::weights/other/*"] },
    { Effect = "Allow", Action = ["s3:GetObject"], Resource = "arn:aws:s3:::weights/*", Condition = { StringEquals = { "aws:ResourceTag/team" = "inference" }, Bool = { "aws:SecureTransport" = "true" } } },
  ] })
}
