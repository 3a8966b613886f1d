resource "aws_cloudformation_stack" "this" {
  name = "this"
  template_body = jsonencode({
    Resources = {
      Key = { Type = "AWS::SNS::Topic" }
    }
  })
}
