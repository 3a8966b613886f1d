resource "aws_eks_addon" "proxy" {
  cluster_name         = "hawser-prod"
  addon_name           = "kube-proxy"
  configuration_values = null
}
