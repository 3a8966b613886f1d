data "aws_partition" "current" {}

locals {
  # FSx accepts only groups below /aws/fsx. Built from names, so that it is in the first plan.
  log_group_name = "/aws/fsx/${var.name}"
  log_group_arn  = "arn:${data.aws_partition.current.partition}:logs:${var.region}:${var.account_id}:log-group:${local.log_group_name}"
}

# Imports that failed are said here and nowhere else.
resource "aws_cloudwatch_log_group" "this" {
  name              = local.log_group_name
  retention_in_days = 365
  kms_key_id        = var.kms_key_arn
}
