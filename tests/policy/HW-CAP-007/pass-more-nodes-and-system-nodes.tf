resource "aws_eks_node_group" "more" {
  cluster_name    = "hawser-prod"
  node_group_name = "k3-a"
  node_role_arn   = "arn:aws:iam::111122223333:role/node"
  subnet_ids      = ["subnet-0a"]
  instance_types  = ["p5en.48xlarge"]
  scaling_config {
    desired_size = 3
    max_size     = 3
    min_size     = 3
  }
}
resource "aws_eks_node_group" "system" {
  cluster_name    = "hawser-prod"
  node_group_name = "system"
  node_role_arn   = "arn:aws:iam::111122223333:role/node"
  subnet_ids      = ["subnet-0a"]
  instance_types  = ["m7i.large"]
  version         = "1.36"
  scaling_config {
    desired_size = 2
    max_size     = 2
    min_size     = 2
  }
}
