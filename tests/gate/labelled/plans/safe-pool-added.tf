resource "aws_eks_node_group" "gpu" {
  for_each        = toset(["k3-a", "k3-b"])
  cluster_name    = "hawser-prod"
  node_group_name = each.key
  node_role_arn   = "arn:aws:iam::111122223333:role/node"
  subnet_ids      = ["subnet-0a"]
  instance_types  = ["p5en.48xlarge"]
  scaling_config {
    desired_size = 2
    max_size     = 2
    min_size     = 0
  }
}
