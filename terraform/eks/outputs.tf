output "node_groups" {
  description = "Pool => name of its node group; waits until the group exists."
  value       = { for name, pool in module.pool : name => pool.node_group_name }
}

output "gpus" {
  description = "Pool => GPUs that it has when all its nodes run."
  value       = { for name, pool in var.pools : name => pool.count * pool.gpus }
}

output "serving_role_arn" {
  description = "ARN of the role of the model server's pods; waits until it has its policy and its service account."
  value       = module.serving_role.role_arn
}
