resource "aws_eks_node_group" "image" {
  cluster_name    = "hawser-prod"
  node_group_name = "k3-a"
  node_role_arn   = "arn:aws:iam::111122223333:role/node"
  subnet_ids      = ["subnet-0a"]
  instance_types  = ["p5en.48xlarge"]
  release_version = "1.35.2-20261120"
  scaling_config {
    desired_size = 2
    max_size     = 2
    min_size     = 2
  }
}
resource "aws_eks_node_group" "kubernetes" {
  cluster_name    = "hawser-prod"
  node_group_name = "k3-b"
  node_role_arn   = "arn:aws:iam::111122223333:role/node"
  subnet_ids      = ["subnet-0a"]
  instance_types  = ["p5en.48xlarge"]
  version         = "1.36"
  scaling_config {
    desired_size = 1
    max_size     = 1
    min_size     = 1
  }
}
