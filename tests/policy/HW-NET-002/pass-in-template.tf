resource "aws_cloudformation_stack" "this" {
  name = "this"
  template_body = jsonencode({
    Resources = {
      Group = {
        Type = "AWS::EC2::SecurityGroup"
        Properties = {
          GroupDescription     = "API"
          SecurityGroupIngress = [{ IpProtocol = "tcp", FromPort = 443, ToPort = 443, CidrIp = "10.0.0.0/8" }]
          SecurityGroupEgress  = [{ IpProtocol = "-1", CidrIp = "0.0.0.0/0" }]
        }
      }
    }
  })
}
