resource "aws_iam_policy" "this" {
  name = "this"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [for resource in ["arn:aws:s3:::weights/*", "arn:*:s3:::weights", "arn:aws:sqs:*:*:jobs-*"] :
      { Effect = "Allow", Action = "s3:*", Resource = resource }
    ]
  })
}

resource "aws_cloudformation_stack" "this" {
  name = "this"
  template_body = jsonencode({
    Resources = {
      Bucket = { Type = "AWS::S3::Bucket" }
      Policy = {
        Type = "AWS::IAM::RolePolicy"
        Properties = {
          RoleName   = "node"
          PolicyName = "bucket"
          PolicyDocument = {
            Statement = [{ Effect = "Allow", Action = "s3:*", Resource = { "Fn::Sub" = "$${Bucket.Arn}/*" } }]
          }
        }
      }
    }
  })
}
