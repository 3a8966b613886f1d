resource "aws_cloudcontrolapi_resource" "hyperpod" {
  type_name = "AWS::SageMaker::Cluster"
  # Given, so that planning does not ask AWS for it.
  schema = jsonencode({
    typeName             = "AWS::SageMaker::Cluster"
    description          = "A cluster"
    additionalProperties = false
    primaryIdentifier    = ["/properties/ClusterArn"]
    properties           = { ClusterName = { type = "string" }, InstanceGroups = { type = "array" } }
  })
  desired_state = jsonencode({
    ClusterName    = "hawser"
    InstanceGroups = [{ InstanceGroupName = "b", InstanceType = "ml.p5en.48xlarge", InstanceCount = 2 }]
  })
}
