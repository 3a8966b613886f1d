resource "aws_cloudformation_stack" "roles" {
  name = "roles"
  template_body = jsonencode({
    Resources = {
      Own = {
        Type = "AWS::IAM::ManagedPolicy"
        Properties = {
          PolicyDocument = {
            Statement = [{ Effect = "Allow", Action = "s3:GetObject", Resource = "arn:aws:s3:::weights/*" }]
          }
        }
      }
      Role = {
        Type = "AWS::IAM::Role"
        Properties = {
          AssumeRolePolicyDocument = {
            Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }]
          }
          ManagedPolicyArns = [
            { Ref = "Own" },
            { "Fn::Sub" = "arn:$${AWS::Partition}:iam::aws:policy/AdministratorAccess" },
            { "Fn::Join" = ["", ["arn:", { Ref = "AWS::Partition" }, ":iam::aws:policy/IAMFullAccess"]] },
            { "Fn::ImportValue" = "shared-policy" },
          ]
        }
      }
    }
  })
}
