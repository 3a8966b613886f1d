output "vpc_id" {
  description = "Id of the VPC."
  value       = module.network.vpc_id
}

output "node_subnet_ids" {
  description = "Zone id => id of the subnet of nodes and pods; waits until nodes can reach AWS from it."
  value       = module.network.node_subnet_ids
  depends_on  = [module.endpoints]
}

output "cluster_name" {
  description = "Name of the EKS cluster; waits until its add-ons are active."
  value       = module.control_plane.name
  depends_on = [
    module.addons_before_nodes,
    module.addons_on_nodes,
  ]
}

output "cluster_arn" {
  description = "ARN of the EKS cluster; waits until its add-ons are active."
  value       = module.control_plane.arn
  depends_on = [
    module.addons_before_nodes,
    module.addons_on_nodes,
  ]
}

output "cluster_security_group_id" {
  description = "Security group that every node needs to reach the Kubernetes API."
  value       = module.control_plane.cluster_security_group_id
}

output "cluster_endpoint" {
  description = "Address of the Kubernetes API."
  value       = module.control_plane.endpoint
}

output "efa_security_group_id" {
  description = "Security group for EFA traffic between GPU nodes, to be attached beside the cluster's."
  value       = module.efa_security_group.id
}

output "data_kms_key_arn" {
  description = "ARN of the key that encrypts data of the environment; waits for the alias by which policies name it."
  value       = aws_kms_key.data.arn
  depends_on  = [aws_kms_alias.data]
}

output "oidc_provider_arn" {
  description = "ARN of the cluster's OIDC provider, for controllers that do not know pod identity."
  value       = module.control_plane.oidc_provider_arn
}

output "cloudformation_role_arn" {
  description = "ARN of the role with which CloudFormation makes the HyperPod cluster; waits until it has its rights."
  value       = local.cloudformation_role_arn
  depends_on  = [aws_iam_role_policy.cloudformation]
}

output "serving_role_arn" {
  description = "ARN of the role of the model server's pods; waits until it has its policy and its service account."
  value       = module.serving_role.role_arn
}

output "nat_public_ips" {
  description = "Zone id => public address that the outside sees. Empty when egress is endpoints."
  value       = module.network.nat_public_ips
}

output "alerts_topic_arn" {
  description = "ARN of the topic for alarms; waits until CloudWatch may write to it."
  value       = local.alerts_topic_arn
  depends_on  = [aws_sns_topic.alerts]
}

output "host_log_group" {
  description = "Log group with the logs of the nodes themselves."
  value       = "/aws/containerinsights/${local.name}/host"
  depends_on  = [aws_cloudwatch_log_group.container_insights]
}

output "prometheus_endpoint" {
  description = "Address of the Prometheus workspace; metrics are written to its api/v1/remote_write."
  value       = aws_prometheus_workspace.this.prometheus_endpoint
}
