resource "aws_cloudcontrolapi_resource" "this" {
  type_name = "AWS::IAM::Role"
  # Given, so that planning does not ask AWS for it.
  schema = jsonencode({
    typeName             = "AWS::IAM::Role"
    description          = "A role"
    additionalProperties = false
    primaryIdentifier    = ["/properties/RoleName"]
    properties           = { RoleName = { type = "string" }, ManagedPolicyArns = { type = "array", items = { type = "string" } } }
  })
  desired_state = jsonencode({
    RoleName          = "admin"
    ManagedPolicyArns = ["arn:aws:iam::aws:policy/AdministratorAccess"]
  })
}
