# For the few controllers that do not know pod identity. IAM trusts the issuer's certificate by its authority: no thumbprint is needed.
resource "aws_iam_openid_connect_provider" "this" {
  url            = aws_eks_cluster.this.identity[0].oidc[0].issuer
  client_id_list = ["sts.amazonaws.com"]
}
