resource "terraform_data" "later" {}

resource "aws_s3_bucket_versioning" "weights" {
  bucket = "weights"
  versioning_configuration {
    status = terraform_data.later.id
  }
}
resource "aws_s3_bucket_policy" "unknown" {
  bucket = "weights"
  policy = terraform_data.later.id
}
