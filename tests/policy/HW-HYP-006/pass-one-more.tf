resource "aws_cloudformation_stack" "hyperpod" {
  name = "hyperpod-prod"
  template_body = jsonencode({
    Resources = {
      Cluster = {
        Type = "AWS::SageMaker::Cluster"
        Properties = {
          ClusterName = "hawser-prod"
          InstanceGroups = [{
            InstanceGroupName = "k3-a"
            InstanceType      = "ml.p6-b300.48xlarge"
            InstanceCount     = 3
            ExecutionRole     = "arn:aws:iam::111122223333:role/node"
          }]
          Orchestrator = {
            Eks = {
              ClusterArn = "arn:aws:eks:us-west-2:111122223333:cluster/hawser-prod"
            }
          }
          VpcConfig = {
            SecurityGroupIds = ["sg-0a"]
            Subnets          = ["subnet-0a"]
          }
        }
      }
    }
  })
}
