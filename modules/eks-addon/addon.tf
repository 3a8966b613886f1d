resource "aws_eks_addon" "this" {
  cluster_name         = var.cluster_name
  addon_name           = var.name
  addon_version        = var.addon_version
  configuration_values = var.configuration_json

  # What is written here is the truth: edits made in the cluster to fields that EKS manages are taken back.
  resolve_conflicts_on_create = "OVERWRITE"
  resolve_conflicts_on_update = "OVERWRITE"

  # The provider's 20 minutes end while nodes still boot, and what fails at creation is tainted: the next plan replaces it.
  timeouts {
    create = "60m"
    update = "60m"
    delete = "60m"
  }
}
