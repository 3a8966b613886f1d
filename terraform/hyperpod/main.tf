data "aws_partition" "current" {}

locals {
  partition = data.aws_partition.current.partition

  # Where the inference operator lives: its add-on has no setting for it.
  operator_namespace = "hyperpod-inference-system"

  tags = merge(var.tags, {
    environment = var.environment
    stack       = "hyperpod"
  })
}
