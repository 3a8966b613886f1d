module "execution_role" {
  source = "../../modules/hyperpod-execution-role"

  # The platform's CloudFormation role may pass this name and no other.
  name               = "${var.cluster_name}-hyperpod-execution"
  account_id         = var.account_id
  region             = var.region
  eks_cluster_arn    = var.cluster_arn
  subnet_ids         = values(var.node_subnet_ids)
  security_group_ids = local.security_group_ids
  lifecycle_bucket   = local.lifecycle_bucket
  kms_key_arn        = var.data_kms_key_arn
}
