output "name" {
  description = "Name of the HyperPod cluster; waits until the cluster exists."
  value       = var.name
  depends_on  = [aws_cloudformation_stack.this]
}

output "cluster_arn" {
  description = "ARN of the HyperPod cluster, which the service makes up."
  value       = aws_cloudformation_stack.this.outputs["ClusterArn"]
}

output "template_body" {
  description = "The CloudFormation template, as it is in the plan."
  value       = local.template_body
}
