locals {
  # These become active without a node, and nodes need them to become ready.
  addons_before_nodes = {
    eks-pod-identity-agent = null
    kube-proxy             = null
    vpc-cni                = jsonencode({ enableNetworkPolicy = "true" })
  }
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

# None of them where the system nodes are an instance group of HyperPod: then the stack hyperpod installs them, behind those nodes.
module "addons_on_nodes" {
  source = "../../modules/system-addons"

  cluster_name  = module.control_plane.name
  versions      = { for name, version in var.addons : name => version if !contains(keys(local.addons_before_nodes), name) }
  node_selector = { "eks.amazonaws.com/nodegroup" = local.system_node_group_name }

  depends_on = [
    aws_cloudwatch_log_group.container_insights,
    aws_eks_node_group.system,
    module.cloudwatch_role,
    module.ebs_csi_role,
    module.fsx_csi_role,
  ]
}
