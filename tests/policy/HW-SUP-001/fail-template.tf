resource "aws_cloudformation_stack" "model" {
  name = "model"
  template_body = jsonencode({
    Resources = {
      Model = {
        Type       = "AWS::SageMaker::Model"
        Properties = { PrimaryContainer = { Image = "111122223333.dkr.ecr.us-west-2.amazonaws.com/vllm" } }
      }
    }
  })
}
