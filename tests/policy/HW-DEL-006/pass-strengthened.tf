resource "aws_s3_bucket_versioning" "weights" {
  bucket = "weights"
  versioning_configuration {
    status = "Enabled"
  }
}
resource "aws_s3_bucket_server_side_encryption_configuration" "weights" {
  bucket = "weights"
  rule {
    apply_server_side_encryption_by_default {
      sse_algorithm = "aws:kms"
    }
  }
}
# Another order, another Sid, and more is denied.
resource "aws_s3_bucket_policy" "weights" {
  bucket = "weights"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Principal = { AWS = "arn:aws:iam::111122223333:root" }, Action = "s3:*", Resource = "arn:aws:s3:::weights/*" },
      {
        Sid       = "OnlyEncrypted"
        Effect    = "Deny"
        Principal = "*"
        Action    = ["s3-object-lambda:*", "s3:*"]
        Resource  = ["arn:aws:s3:::weights/*", "arn:aws:s3:::weights"]
        Condition = { Bool = { "aws:SecureTransport" = "false" } }
      },
    ]
  })
}
resource "aws_s3_bucket_policy" "narrower" {
  bucket = "narrower"
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Deny", Principal = "*", Action = "s3:*", Resource = ["arn:aws:s3:::weights", "arn:aws:s3:::weights/*"] }]
  })
}
resource "aws_s3_bucket_object_lock_configuration" "weights" {
  bucket = "weights"
  rule {
    default_retention {
      mode = "COMPLIANCE"
      days = 30
    }
  }
}
resource "aws_ebs_encryption_by_default" "this" {
  enabled = true
}
