output "node_groups" {
  description = "Pool => name of its node group; waits until the group exists."
  value       = { for name, pool in module.pool : name => pool.node_group_name }
}

output "gpus" {
  description = "Pool => GPUs that it has when all its nodes run."
  value       = { for name, pool in var.pools : name => pool.count * pool.gpus }
}
