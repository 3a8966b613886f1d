resource "aws_cloudtrail" "more" {
  name                       = "more"
  s3_bucket_name             = "trail"
  is_multi_region_trail      = true
  enable_log_file_validation = true
}
resource "aws_eks_cluster" "this" {
  name                      = "hawser"
  role_arn                  = "arn:aws:iam::111122223333:role/cluster"
  enabled_cluster_log_types = ["audit", "api", "authenticator"]
  vpc_config {
    subnet_ids             = ["subnet-0a"]
    endpoint_public_access = false
  }
}
