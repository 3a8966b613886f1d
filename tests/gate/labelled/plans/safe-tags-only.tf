locals {
  tags = { team = "inference", cost-center = "4711" }
}

resource "aws_s3_bucket" "weights" {
  bucket = "weights"
  tags   = local.tags
}

resource "aws_kms_key" "data" {
  enable_key_rotation = true
  tags                = local.tags
}

resource "aws_eks_node_group" "gpu" {
  cluster_name    = "hawser-prod"
  node_group_name = "k3-a"
  node_role_arn   = "arn:aws:iam::111122223333:role/node"
  subnet_ids      = ["subnet-0a"]
  instance_types  = ["p5en.48xlarge"]
  tags            = local.tags
  scaling_config {
    desired_size = 2
    max_size     = 2
    min_size     = 0
  }
}

resource "aws_s3_bucket_public_access_block" "weights" {
  bucket                  = aws_s3_bucket.weights.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}
