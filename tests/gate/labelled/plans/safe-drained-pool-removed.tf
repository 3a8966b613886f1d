resource "aws_eks_node_group" "new" {
  cluster_name    = "hawser-prod"
  node_group_name = "k3-b"
  node_role_arn   = "arn:aws:iam::111122223333:role/node"
  subnet_ids      = ["subnet-0a"]
  instance_types  = ["p5en.48xlarge"]
  scaling_config {
    desired_size = 2
    max_size     = 2
    min_size     = 0
  }
}
