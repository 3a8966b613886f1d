resource "aws_cloudtrail" "off" {
  name                  = "off"
  s3_bucket_name        = "trail"
  enable_logging        = false
  is_multi_region_trail = true
}
resource "aws_eks_cluster" "this" {
  name                      = "hawser"
  role_arn                  = "arn:aws:iam::111122223333:role/cluster"
  enabled_cluster_log_types = ["api"]
  vpc_config {
    subnet_ids             = ["subnet-0a"]
    endpoint_public_access = false
  }
}
