resource "aws_eks_access_entry" "this" {
  cluster_name  = "hawser-prod"
  principal_arn = "arn:aws:iam::111122223333:role/developer"
}
