resource "aws_cloudformation_stack" "hyperpod" {
  name          = "hyperpod-prod"
  template_body = <<-EOT
    Parameters:
      Name:
        Type: String
        Default: hawser-next
    Resources:
      Cluster:
        Type: AWS::SageMaker::Cluster
        Properties:
          ClusterName: !Ref Name
          InstanceGroups:
            - InstanceGroupName: k3-a
              InstanceType: ml.p6-b300.48xlarge
              InstanceCount: 2
              ExecutionRole: !Sub "arn:$${AWS::Partition}:iam::111122223333:role/node"
          Orchestrator:
            Eks: {ClusterArn: "arn:aws:eks:us-west-2:111122223333:cluster/hawser-prod"}
          VpcConfig: {SecurityGroupIds: [sg-0a], Subnets: [subnet-0a]}
  EOT
}
