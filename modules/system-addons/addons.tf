locals {
  # What each takes from var.node_selector. DNS of the whole cluster must not go away with GPU nodes at the end of a reservation.
  configurations = {
    amazon-cloudwatch-observability = local.cloudwatch_configuration
    aws-ebs-csi-driver              = null
    aws-fsx-csi-driver              = null
    aws-mountpoint-s3-csi-driver    = null
    cert-manager                    = null
    coredns                         = jsonencode({ nodeSelector = var.node_selector })
    metrics-server                  = null
  }
}

module "addon" {
  source   = "../eks-addon"
  for_each = var.versions

  cluster_name       = var.cluster_name
  name               = each.key
  addon_version      = each.value
  configuration_json = local.configurations[each.key]
}
