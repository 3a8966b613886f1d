resource "aws_eks_cluster" "this" {
  name     = "hawser-prod"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  vpc_config {
    subnet_ids             = ["subnet-0a", "subnet-0b"]
    endpoint_public_access = true
    public_access_cidrs    = ["64.0.0.0/2"]
  }
}
