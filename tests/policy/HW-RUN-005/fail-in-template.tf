resource "aws_cloudformation_stack" "this" {
  name       = "this"
  parameters = {}
  template_body = jsonencode({
    Parameters = { Key = { Type = "AWS::SSM::Parameter::Value<String>", Default = "/made" } }
    Conditions = { Wanted = { "Fn::Equals" = [{ Ref = "Key" }, "yes"] } }
    Resources = {
      Custom  = { Type = "AWS::CloudFormation::CustomResource", Properties = { ServiceToken = "arn:aws:lambda:us-west-2:111122223333:function:f" } }
      Named   = { Type = "Custom::Anything", Properties = { ServiceToken = "arn:aws:lambda:us-west-2:111122223333:function:f" } }
      Nested  = { Type = "AWS::CloudFormation::Stack", Properties = { TemplateURL = "https://example.com/t.json" } }
      Set     = { Type = "AWS::CloudFormation::StackSet", Properties = { StackSetName = "s", PermissionModel = "SELF_MANAGED" } }
      Module  = { Type = "Example::Team::Role::MODULE", Properties = {} }
      Perhaps = { Type = "AWS::SNS::Topic", Condition = "Wanted", Properties = {} }
    }
  })
}
resource "aws_cloudformation_stack_set" "this" {
  name             = "this"
  permission_model = "SELF_MANAGED"
  template_body    = "{}"
}
