data "aws_partition" "current" {}

locals {
  # From the environment and not from the cluster, so that names stay known while the platform is still to be made.
  name = "hawser-${var.environment}"

  tags = merge(var.tags, {
    environment = var.environment
    stack       = "hyperpod"
  })
}
