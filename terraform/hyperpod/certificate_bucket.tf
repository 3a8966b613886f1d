locals {
  # The operator's managed policy reaches only buckets whose names begin so.
  certificate_bucket = "hyperpod-tls-${var.cluster_name}-${var.account_id}"
}

# The operator puts the certificates of its endpoints here, for SageMaker to trust them.
module "certificate_bucket" {
  source = "../../modules/encrypted-bucket"

  name        = local.certificate_bucket
  kms_key_arn = var.data_kms_key_arn
  account_id  = var.account_id
}
