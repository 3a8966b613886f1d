resource "aws_cloudformation_stack" "this" {
  name = "this"
  template_body = jsonencode({
    Resources = {
      Topic  = { Type = "AWS::SNS::Topic", Properties = {} }
      Handle = { Type = "AWS::CloudFormation::WaitConditionHandle" }
    }
  })
}
