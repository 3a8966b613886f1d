resource "aws_eks_cluster" "this" {
  name     = "hawser-production"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  vpc_config {
    subnet_ids              = ["subnet-0a", "subnet-0b"]
    endpoint_public_access  = false
    endpoint_private_access = true
  }
  encryption_config {
    resources = ["secrets"]
    provider {
      key_arn = "arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
    }
  }
}
