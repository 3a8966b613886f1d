output "hyperpod_cluster_name" {
  description = "Name of the HyperPod cluster; waits until the cluster exists."
  value       = module.cluster.name
}

output "hyperpod_cluster_arn" {
  description = "ARN of the HyperPod cluster."
  value       = module.cluster.cluster_arn
}

output "execution_role_arn" {
  description = "ARN of the role of the nodes; waits until it has its policies."
  value       = module.execution_role.role_arn
}

output "gpus" {
  description = "Pool => GPUs that it has when all its nodes run."
  value       = { for name, pool in var.pools : name => pool.count * pool.gpus }
}

output "operator_role_arn" {
  description = "ARN of the inference operator's role; waits until it has its policies."
  value       = module.operator_role.role_arn
}

output "certificate_bucket" {
  description = "Name of the bucket with the certificates of the operator's endpoints."
  value       = module.certificate_bucket.name
}

output "alarm_names" {
  description = "Names of the CloudWatch alarms, or null where nothing is watched."
  value       = one(module.alarms[*].alarm_names)
}
