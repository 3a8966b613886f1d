resource "aws_cloudformation_stack" "this" {
  name       = "this"
  parameters = { From = "0.0.0.0/0" }
  template_body = jsonencode({
    Parameters = { From = { Type = "String" } }
    Resources = {
      Group = {
        Type = "AWS::EC2::SecurityGroup"
        Properties = {
          GroupDescription = "API"
          SecurityGroupIngress = [
            { IpProtocol = "tcp", FromPort = 443, ToPort = 443, CidrIp = "10.0.0.0/8" },
            { IpProtocol = "tcp", FromPort = "443", ToPort = "443", CidrIp = { Ref = "From" } },
            { IpProtocol = "-1", CidrIpv6 = "::/0" },
          ]
        }
      }
      Half = { Type = "AWS::EC2::SecurityGroup", Properties = { GroupDescription = "half" } }
      Low  = { Type = "AWS::EC2::SecurityGroupIngress", Properties = { GroupId = { "Fn::GetAtt" = ["Half", "GroupId"] }, IpProtocol = "tcp", FromPort = 22, ToPort = 22, CidrIp = "64.0.0.0/9" } }
      High = { Type = "AWS::EC2::SecurityGroupIngress", Properties = { GroupId = { "Fn::GetAtt" = ["Half", "GroupId"] }, IpProtocol = "tcp", FromPort = 22, ToPort = 22, CidrIp = "65.0.0.0/8" } }
    }
  })
}
