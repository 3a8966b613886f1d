resource "aws_eks_addon" "proxy" {
  cluster_name         = "hawser-prod"
  addon_name           = "kube-proxy"
  configuration_values = jsonencode({ image = "example.com/proxy:v1" })
}
