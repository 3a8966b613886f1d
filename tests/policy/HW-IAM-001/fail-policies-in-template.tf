resource "aws_cloudformation_stack" "roles" {
  name = "roles"
  template_body = jsonencode({
    Resources = {
      OfRole = {
        Type       = "AWS::IAM::RolePolicy"
        Properties = { RoleName = "node", PolicyName = "a", PolicyDocument = { Statement = [{ Effect = "Allow", Action = "*", Resource = "*" }] } }
      }
      OfUser = {
        Type       = "AWS::IAM::UserPolicy"
        Properties = { UserName = "ci", PolicyName = "a", PolicyDocument = { Statement = [{ Effect = "Allow", Action = "*", Resource = "*" }] } }
      }
      OfGroup = {
        Type       = "AWS::IAM::GroupPolicy"
        Properties = { GroupName = "all", PolicyName = "a", PolicyDocument = { Statement = [{ Effect = "Allow", Action = "*", Resource = "*" }] } }
      }
      Managed = {
        Type       = "AWS::IAM::ManagedPolicy"
        Properties = { PolicyDocument = { Statement = [{ Effect = "Allow", Action = "*", Resource = "*" }] } }
      }
    }
  })
}
