# Only checkov knows this one: Kubernetes secrets are not encrypted with a key of the account.
resource "aws_eks_cluster" "this" {
  name     = "hawser-prod"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  vpc_config {
    subnet_ids              = ["subnet-0a", "subnet-0b"]
    endpoint_public_access  = false
    endpoint_private_access = true
  }
}
