output "node_groups" {
  description = "Pool => name of its node group; waits until the group exists."
  value       = { for name, pool in module.pool : name => pool.node_group_name }
}

output "gpus" {
  description = "Pool => GPUs that it has when all its nodes run."
  value       = { for name, pool in var.pools : name => pool.count * pool.gpus }
}

output "caches" {
  description = "Zone id => file system with the weights in that zone: id, DNS name and mount name, for the volume that mounts it. Empty without a Lustre cache."
  value = { for zone_id, cache in module.cache : zone_id => {
    file_system_id = cache.file_system_id
    dns_name       = cache.dns_name
    mount_name     = cache.mount_name
  } }
}

output "alarm_names" {
  description = "Names of the CloudWatch alarms, or null where nothing is watched."
  value       = one(module.alarms[*].alarm_names)
}
