resource "aws_eks_cluster" "this" {
  name     = "k3"
  role_arn = "arn:aws:iam::111122223333:role/k3-control-plane"

  vpc_config {
    subnet_ids              = ["subnet-0a1b2c3d4e5f60718", "subnet-0a1b2c3d4e5f60719"]
    endpoint_private_access = true
    endpoint_public_access  = false
  }
}

resource "aws_iam_openid_connect_provider" "this" {
  url            = aws_eks_cluster.this.identity[0].oidc[0].issuer
  client_id_list = ["sts.amazonaws.com"]
}
