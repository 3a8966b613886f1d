resource "aws_cloudformation_stack" "hyperpod" {
  name = "hyperpod-prod"
  template_body = jsonencode({
    Resources = {
      Topic = {
        Type = "AWS::SNS::Topic"
      }
    }
  })
}
