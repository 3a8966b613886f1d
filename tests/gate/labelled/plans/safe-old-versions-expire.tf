resource "aws_s3_bucket_lifecycle_configuration" "weights" {
  bucket = "weights"
  rule {
    id     = "tidy"
    status = "Enabled"
    filter {}
    abort_incomplete_multipart_upload {
      days_after_initiation = 7
    }
    noncurrent_version_expiration {
      noncurrent_days = 90
    }
  }
  rule {
    id     = "scratch"
    status = "Enabled"
    filter {
      prefix = "scratch/"
    }
    expiration {
      days = 7
    }
  }
  rule {
    id     = "off"
    status = "Disabled"
    filter {}
    expiration {
      days = 1
    }
  }
}
