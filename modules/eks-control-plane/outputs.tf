output "name" {
  description = "Name of the cluster, known in the first plan; waits until its administrators can get in."
  value       = var.name
  depends_on = [
    aws_eks_access_policy_association.admin,
    aws_eks_cluster.this,
  ]
}

output "arn" {
  description = "ARN of the cluster, known in the first plan; waits until its administrators can get in."
  value       = local.arn
  depends_on = [
    aws_eks_access_policy_association.admin,
    aws_eks_cluster.this,
  ]
}

output "endpoint" {
  description = "Address of the Kubernetes API."
  value       = aws_eks_cluster.this.endpoint
}

output "cluster_security_group_id" {
  description = "Security group that EKS makes for the control plane and the nodes. Every node needs it to reach the Kubernetes API."
  value       = aws_eks_cluster.this.vpc_config[0].cluster_security_group_id
}

output "oidc_provider_arn" {
  description = "ARN of the OIDC provider, for roles of service accounts."
  value       = aws_iam_openid_connect_provider.this.arn
}
