# One file system per zone with a pool: it lies in one zone, and read from another every byte is paid for.
module "cache" {
  source   = "../../modules/lustre-cache"
  for_each = var.cache == null ? toset([]) : toset([for pool in values(var.pools) : pool.zone_id])

  name                   = "${var.cluster_name}-weights-${each.key}"
  account_id             = var.account_id
  region                 = var.region
  vpc_id                 = var.vpc_id
  subnet_id              = var.node_subnet_ids[each.key]
  node_security_group_id = var.efa_security_group_id
  kms_key_arn            = var.data_kms_key_arn
  weights_uri            = var.cache.weights_uri
  size_gib               = var.cache.size_gib
  throughput_mb_per_tib  = var.cache.throughput_mb_per_tib
}
