locals {
  tags = merge(var.tags, {
    environment = var.environment
    stack       = "hyperpod"
  })
}
