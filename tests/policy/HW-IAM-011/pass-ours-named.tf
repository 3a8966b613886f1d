resource "aws_eks_access_entry" "admin" {
  cluster_name  = "hawser-prod"
  principal_arn = "arn:aws:iam::111122223333:role/platform-admin"
}
resource "aws_eks_access_entry" "nodes" {
  cluster_name  = "hawser-prod"
  principal_arn = "arn:aws:iam::111122223333:role/node"
  type          = "EC2_LINUX"
}
resource "aws_iam_instance_profile" "new" {
  name = "node"
  role = "node"
}
