data "aws_partition" "current" {}

locals {
  partition = data.aws_partition.current.partition

  # None of an environment's tags: environments of one account may have different ones, and each would change them for the other.
  tags = { stack = "bootstrap" }

  # Names of the account and region: this stack stands once in each. IAM is global, so what stands there carries the region.
  access_log_bucket = "hawser-access-logs-${var.account_id}-${var.region}"
  plan_role_name    = "hawser-plan-${var.region}"
  apply_role_name   = "hawser-apply-${var.region}"
  boundary_name     = "hawser-apply-boundary-${var.region}"
  describe_name     = "hawser-describe-${var.region}"
  approve_name      = "hawser-approve-${var.region}"

  state_key_alias     = "alias/hawser-state"
  artifacts_key_alias = "alias/hawser-artifacts"
  approvals_key_alias = "alias/hawser-approvals"

  # Built from names, so that every policy is whole in the first plan. Key ARNs hold an invented id, so keys are named by alias.
  state_bucket_arn = "arn:${local.partition}:s3:::${var.state_bucket}"
  keys_arn         = "arn:${local.partition}:kms:${var.region}:${var.account_id}:key/*"
  iam_arn          = "arn:${local.partition}:iam::${var.account_id}"
}
