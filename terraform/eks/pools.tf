module "pool" {
  source   = "../../modules/gpu-node-group"
  for_each = var.pools

  name               = "${var.cluster_name}-${each.key}"
  node_group_name    = each.key
  cluster_name       = var.cluster_name
  account_id         = var.account_id
  region             = var.region
  instance_type      = each.value.instance_type
  interfaces         = each.value.interfaces
  subnet_id          = var.node_subnet_ids[each.value.zone_id]
  security_group_ids = [var.cluster_security_group_id, var.efa_security_group_id]
  kms_key_arn        = var.data_kms_key_arn
  labels             = { "hawser/pool" = each.key }
  tags               = local.tags

  capacity = {
    kind           = each.value.kind
    count          = each.value.count
    reservation_id = each.value.reservation_id
    start          = each.value.start
    end            = each.value.end
  }
}
