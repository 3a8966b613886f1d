resource "aws_cloudformation_stack" "doors" {
  name = "doors"
  template_body = jsonencode({
    Resources = {
      Url  = { Type = "AWS::Lambda::Url", Properties = { AuthType = "NONE", TargetFunctionArn = "arn:aws:lambda:us-west-2:111122223333:function:resize" } }
      Peer = { Type = "AWS::EC2::VPCPeeringConnection", Properties = { VpcId = "vpc-0a", PeerVpcId = "vpc-0b" } }
    }
  })
}
