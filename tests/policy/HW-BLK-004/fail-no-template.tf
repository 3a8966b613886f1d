resource "aws_eks_node_group" "block" {
  cluster_name    = "hawser-prod"
  node_group_name = "k3-block"
  node_role_arn   = "arn:aws:iam::111122223333:role/node"
  subnet_ids      = ["subnet-0a"]
  capacity_type   = "CAPACITY_BLOCK"
  instance_types  = ["p6-b300.48xlarge"]
  scaling_config {
    desired_size = 0
    max_size     = 2
    min_size     = 0
  }
}
