resource "aws_ami_launch_permission" "this" {
  image_id = "ami-0123456789abcdef0"
  group    = "all"
}
resource "aws_lambda_permission" "this" {
  action        = "lambda:InvokeFunction"
  function_name = "serve"
  principal     = "*"
}
resource "aws_lambda_function_url" "this" {
  function_name      = "serve"
  authorization_type = "NONE"
}
resource "aws_s3_bucket_acl" "canned" {
  bucket = "weights"
  acl    = "public-read"
}
resource "aws_s3_bucket_acl" "granted" {
  bucket = "weights"
  access_control_policy {
    owner {
      id = "79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be"
    }
    grant {
      permission = "READ"
      grantee {
        type = "Group"
        uri  = "http://acs.amazonaws.com/groups/global/AllUsers"
      }
    }
  }
}
resource "aws_cloudformation_stack" "this" {
  name = "this"
  template_body = jsonencode({
    Resources = {
      Key = {
        Type = "AWS::KMS::Key"
        Properties = {
          KeyPolicy = { Statement = [{ Effect = "Allow", Principal = "*", Action = "kms:Decrypt", Resource = "*" }] }
        }
      }
    }
  })
}
