resource "aws_s3_bucket_lifecycle_configuration" "new" {
  bucket = "new-rule"
  rule {
    id     = "tidy"
    status = "Enabled"
    filter {}
    expiration {
      days = 90
    }
  }
  rule {
    id     = "year"
    status = "Enabled"
    filter {
      prefix = ""
    }
    expiration {
      date = "2027-01-01T00:00:00Z"
    }
  }
}
resource "aws_s3_bucket_lifecycle_configuration" "sooner" {
  bucket = "sooner"
  rule {
    id     = "tidy"
    status = "Enabled"
    filter {}
    expiration {
      days = 30
    }
  }
}
