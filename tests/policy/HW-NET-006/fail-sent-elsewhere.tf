resource "aws_cloudwatch_log_subscription_filter" "audit" {
  name            = "audit"
  log_group_name  = "/aws/eks/hawser-prod/cluster"
  filter_pattern  = ""
  destination_arn = "arn:aws:logs:us-west-2:444455556666:destination:all"
}
resource "aws_eks_node_group" "system" {
  cluster_name    = "hawser-prod"
  node_group_name = "system"
  node_role_arn   = "arn:aws:iam::111122223333:role/system"
  subnet_ids      = ["subnet-0a1b2c3d4e5f60718"]
  instance_types  = ["m7i.2xlarge"]
  scaling_config {
    min_size     = 2
    max_size     = 2
    desired_size = 2
  }
  remote_access { ec2_ssh_key = "ops" }
}
resource "aws_cloudwatch_log_group" "audit" {
  name = "/aws/eks/hawser-prod/cluster"
}
