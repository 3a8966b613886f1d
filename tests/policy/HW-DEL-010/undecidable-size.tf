resource "terraform_data" "later" {}
resource "aws_eks_node_group" "system" {
  cluster_name    = "hawser-prod"
  node_group_name = "system"
  node_role_arn   = "arn:aws:iam::111122223333:role/system"
  subnet_ids      = ["subnet-0a1b2c3d4e5f60718"]
  instance_types  = ["m7i.2xlarge"]
  scaling_config {
    min_size     = 0
    max_size     = 2
    desired_size = length(terraform_data.later.id)
  }
}
