resource "aws_cloudformation_stack" "doors" {
  name = "doors"
  template_body = jsonencode({
    Resources = {
      Key  = { Type = "AWS::IAM::AccessKey", Properties = { UserName = "ci" } }
      User = { Type = "AWS::IAM::User", Properties = { LoginProfile = { Password = { Ref = "Given" } } } }
      Oidc = { Type = "AWS::IAM::OIDCProvider", Properties = { Url = "https://ci.example.com" } }
    }
  })
}
