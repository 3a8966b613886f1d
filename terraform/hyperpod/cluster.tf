locals {
  security_group_ids = [var.cluster_security_group_id, var.efa_security_group_id]

  # No pool may be called so (hawser check refuses it): the label of this group is where CoreDNS stays.
  system_group = "system"
}

module "cluster" {
  source = "../../modules/hyperpod-cluster"

  name                    = var.hyperpod_cluster_name
  eks_cluster_arn         = var.cluster_arn
  node_subnet_ids         = var.node_subnet_ids
  security_group_ids      = local.security_group_ids
  volume_size_gb          = var.volume_size_gb
  kms_key_arn             = var.data_kms_key_arn
  lifecycle_bucket        = module.lifecycle_bucket.name
  execution_role_arn      = module.execution_role.role_arn
  cloudformation_role_arn = var.cloudformation_role_arn
  tags                    = local.tags

  groups = merge(
    {
      for name, pool in var.pools : name => {
        instance_type     = pool.instance_type
        count             = pool.count
        zone_id           = pool.zone_id
        training_plan_arn = pool.training_plan_arn
        labels            = { "hawser/pool" = name }
      }
    },
    {
      for nodes in var.system_nodes[*] : local.system_group => {
        instance_type = nodes.instance_type
        count         = nodes.count
        accelerated   = false
      }
    },
  )
}

# Only where the system nodes are an instance group of this cluster; a managed node group and its add-ons are the platform's.
module "addons_on_nodes" {
  source = "../../modules/system-addons"

  cluster_name  = var.cluster_name
  versions      = { for name, version in var.addons : name => version if name != local.operator_addon }
  node_selector = { "sagemaker.amazonaws.com/instance-group-name" = local.system_group }

  depends_on = [module.cluster]
}
