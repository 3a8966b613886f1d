resource "aws_eks_access_policy_association" "dev" {
  cluster_name  = "hawser-prod"
  principal_arn = "arn:aws:iam::111122223333:role/developer"
  policy_arn    = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"
  access_scope {
    type = "cluster"
  }
}
