data "aws_partition" "current" {}

locals {
  # Prefix of every name of the environment. The later stacks take it as the upstream cluster_name, so that what one stack makes and
  # another names has one source. It is known in the first plan, so a speculative plan of theirs shows the true names too.
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
