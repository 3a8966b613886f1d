resource "aws_cloudformation_stack_set" "roles" {
  name             = "roles"
  permission_model = "SERVICE_MANAGED"
  template_body    = jsonencode({ Resources = { Role = { Type = "AWS::IAM::Role", Properties = { AssumeRolePolicyDocument = {} } } } })
  auto_deployment {
    enabled = true
  }
}
