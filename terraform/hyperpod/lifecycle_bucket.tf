locals {
  # The managed policy of HyperPod nodes reads only buckets whose names begin so.
  lifecycle_bucket = "sagemaker-${var.cluster_name}-${var.account_id}-${var.region}"
}

module "lifecycle_bucket" {
  source = "../../modules/encrypted-bucket"

  name        = local.lifecycle_bucket
  kms_key_arn = var.data_kms_key_arn
  account_id  = var.account_id
}
