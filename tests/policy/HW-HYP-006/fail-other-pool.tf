resource "aws_cloudformation_stack" "hyperpod" {
  name = "hyperpod-prod"
  template_body = jsonencode({
    Resources = {
      Cluster = {
        Type = "AWS::SageMaker::Cluster"
        Properties = {
          ClusterName  = "hawser-prod"
          NodeRecovery = "None"
          InstanceGroups = [{
            InstanceGroupName = "k3-a"
            InstanceType      = "ml.p6-b300.48xlarge"
            InstanceCount     = 2
            ExecutionRole     = "arn:aws:iam::111122223333:role/administrator"
            TrainingPlanArn   = "arn:aws:sagemaker:us-west-2:111122223333:training-plan/other"
            LifeCycleConfig   = { SourceS3Uri = "s3://sagemaker-scripts/other", OnCreate = "start.sh" }
            OverrideVpcConfig = { SecurityGroupIds = ["sg-0b"], Subnets = ["subnet-0b"] }
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
