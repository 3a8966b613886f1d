# The same template, indented and with its keys and groups in another order.
resource "aws_cloudformation_stack" "hyperpod" {
  name          = "hyperpod-prod"
  template_body = <<-EOT
    {
      "Resources": {
        "Cluster": {
          "Properties": {
            "VpcConfig": { "Subnets": ["subnet-0b", "subnet-0a"], "SecurityGroupIds": ["sg-0a"] },
            "Orchestrator": { "Eks": { "ClusterArn": "arn:aws:eks:us-west-2:111122223333:cluster/hawser-prod" } },
            "ClusterName": "hawser-prod",
            "InstanceGroups": [
              { "InstanceGroupName": "k3-b", "InstanceType": "ml.p5en.48xlarge", "InstanceCount": 1, "ExecutionRole": "arn:aws:iam::111122223333:role/node" },
              { "InstanceGroupName": "k3-a", "InstanceType": "ml.p5en.48xlarge", "InstanceCount": 2, "ExecutionRole": "arn:aws:iam::111122223333:role/node" }
            ]
          },
          "Type": "AWS::SageMaker::Cluster"
        }
      }
    }
  EOT
}
