locals {
  # These become active without a node, and nodes need them to become ready.
  addons_before_nodes = {
    eks-pod-identity-agent = null
    kube-proxy             = null
    vpc-cni                = jsonencode({ enableNetworkPolicy = "true" })
  }

  # These stay degraded until a node can run their pods.
  addons_on_nodes = {
    amazon-cloudwatch-observability = local.cloudwatch_configuration
    aws-ebs-csi-driver              = null
    aws-fsx-csi-driver              = null
    aws-mountpoint-s3-csi-driver    = null
    cert-manager                    = null
    # DNS of the whole cluster must not go away with GPU nodes at the end of a reservation.
    coredns        = jsonencode({ nodeSelector = { "eks.amazonaws.com/nodegroup" = local.system_node_group_name } })
    metrics-server = null
  }

  addon_names = sort(concat(keys(local.addons_before_nodes), keys(local.addons_on_nodes)))
}

module "addons_before_nodes" {
  source   = "../../modules/eks-addon"
  for_each = local.addons_before_nodes

  cluster_name       = module.control_plane.name
  name               = each.key
  addon_version      = lookup(var.addons, each.key, null)
  configuration_json = each.value

  # A pod gets its role when it starts: an association that comes later reaches it only after a restart.
  depends_on = [module.vpc_cni_role]
}

module "addons_on_nodes" {
  source   = "../../modules/eks-addon"
  for_each = local.addons_on_nodes

  cluster_name       = module.control_plane.name
  name               = each.key
  addon_version      = lookup(var.addons, each.key, null)
  configuration_json = each.value

  depends_on = [
    aws_cloudwatch_log_group.container_insights,
    aws_eks_node_group.system,
    module.cloudwatch_role,
    module.ebs_csi_role,
    module.fsx_csi_role,
  ]
}
