resource "aws_cloudformation_stack" "this" {
  name = "this"
  template_body = jsonencode({
    Resources = {
      Bucket = { Type = "AWS::S3::Bucket" }
    }
  })
}
