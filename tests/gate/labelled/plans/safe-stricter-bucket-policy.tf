resource "aws_s3_bucket_policy" "weights" {
  bucket = "weights"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Sid = "Tls", Effect = "Deny", Principal = "*", Action = "s3:*", Resource = ["arn:aws:s3:::weights", "arn:aws:s3:::weights/*"], Condition = { Bool = { "aws:SecureTransport" = "false" } } },
      { Sid = "Read", Effect = "Allow", Principal = { AWS = "arn:aws:iam::111122223333:role/serve" }, Action = "s3:GetObject", Resource = "arn:aws:s3:::weights/*" },
    ]
  })
}
