resource "aws_cloudformation_stack" "roles" {
  name         = "roles"
  capabilities = ["CAPABILITY_IAM"]
  template_body = jsonencode({
    Resources = {
      Admin = {
        Type = "AWS::IAM::ManagedPolicy"
        Properties = {
          PolicyDocument = { Statement = [{ Effect = "Allow", Action = "*", Resource = "*" }] }
        }
      }
    }
  })
}
