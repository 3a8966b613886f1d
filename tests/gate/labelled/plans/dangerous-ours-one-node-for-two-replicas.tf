resource "aws_eks_node_group" "gpu" {
  cluster_name    = "hawser-prod"
  node_group_name = "k3-a"
  node_role_arn   = "arn:aws:iam::111122223333:role/node"
  subnet_ids      = ["subnet-0a"]
  instance_types  = ["p6-b300.48xlarge"]
  scaling_config {
    desired_size = 1
    max_size     = 4
    min_size     = 0
  }
}
