resource "aws_ssoadmin_managed_policy_attachment" "this" {
  instance_arn       = "arn:aws:sso:::instance/ssoins-0123456789abcdef"
  permission_set_arn = "arn:aws:sso:::permissionSet/ssoins-0123456789abcdef/ps-0123456789abcdef"
  managed_policy_arn = "arn:aws:iam::aws:policy/AdministratorAccess"
}
resource "aws_eks_access_policy_association" "namespaces" {
  cluster_name  = "hawser-prod"
  principal_arn = "arn:aws:iam::111122223333:role/developer"
  policy_arn    = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSAdminPolicy"
  access_scope {
    type = "cluster"
  }
}
