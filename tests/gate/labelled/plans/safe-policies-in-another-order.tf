resource "aws_iam_role_policy" "serve" {
  name = "serve"
  role = "serve"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Sid = "Keys", Effect = "Allow", Resource = "arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab", Action = ["kms:DescribeKey", "kms:Decrypt"] },
      { Sid = "Weights", Effect = "Allow", Resource = ["arn:aws:s3:::weights/*", "arn:aws:s3:::weights"], Action = ["s3:ListBucket", "s3:GetObject"] },
    ]
  })
}

resource "aws_s3_bucket_policy" "weights" {
  bucket = "weights"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Sid = "Read", Effect = "Allow", Principal = { AWS = ["arn:aws:iam::111122223333:role/serve", "arn:aws:iam::111122223333:role/ci"] }, Action = "s3:GetObject", Resource = "arn:aws:s3:::weights/*" },
      { Sid = "Tls", Effect = "Deny", Principal = "*", Action = "s3:*", Resource = ["arn:aws:s3:::weights/*", "arn:aws:s3:::weights"], Condition = { Bool = { "aws:SecureTransport" = "false" } } },
    ]
  })
  depends_on = [aws_iam_role_policy.serve]
}
