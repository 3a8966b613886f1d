data "aws_partition" "current" {}

locals {
  name      = var.cluster.name
  partition = data.aws_partition.current.partition

  tags = merge(var.tags, {
    environment = var.environment
    stack       = "platform"
  })

  # Built from names, so that every policy is whole in the first plan.
  cluster_arn    = "arn:${local.partition}:eks:${var.region}:${var.account_id}:cluster/${local.name}"
  data_key_alias = "alias/${local.name}-data"
}
