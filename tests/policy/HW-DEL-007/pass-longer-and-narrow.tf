resource "aws_cloudwatch_log_group" "longer" {
  name              = "longer"
  retention_in_days = 0
}
# The bucket is made in the same plan: nothing in it is older than the rule.
resource "aws_s3_bucket" "access_log" {
  bucket = "access-log"
}
resource "aws_s3_bucket_lifecycle_configuration" "access_log" {
  bucket = aws_s3_bucket.access_log.id
  rule {
    id     = "tidy"
    status = "Enabled"
    filter {}
    expiration {
      days = 90
    }
  }
}
resource "aws_s3_bucket_lifecycle_configuration" "later" {
  bucket = "later"
  rule {
    id     = "tidy"
    status = "Enabled"
    filter {}
    expiration {
      days = 180
    }
  }
}
resource "aws_s3_bucket_lifecycle_configuration" "parts" {
  bucket = "parts"
  rule {
    id     = "scratch"
    status = "Enabled"
    filter {
      prefix = "scratch/"
    }
    expiration {
      days = 1
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
  rule {
    id     = "markers"
    status = "Enabled"
    filter {}
    expiration {
      expired_object_delete_marker = true
    }
  }
  rule {
    id     = "old"
    status = "Enabled"
    filter {}
    noncurrent_version_expiration {
      noncurrent_days = 30
    }
  }
}
