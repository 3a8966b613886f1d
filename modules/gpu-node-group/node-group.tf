locals {
  scheduled = var.capacity.kind == "capacity-block"
  has_efa   = contains(var.interfaces[*].type, "efa-only")

  labels = merge(
    var.labels,
    { "nvidia.com/gpu.present" = "true" },
    local.has_efa ? { "vpc.amazonaws.com/efa.present" = "true" } : {},
  )
}

# Two resources, because ignore_changes cannot depend on a value. Whoever owns the desired size decides which one a pool is:
# its schedules (this one), or the configuration (the next one), where a size changed by hand has to show up in the plan.
# A pool that changes kind is replaced in any case, since its capacity type and launch template are others.
resource "aws_eks_node_group" "scheduled" {
  count = local.scheduled ? 1 : 0

  cluster_name    = var.cluster_name
  node_group_name = var.node_group_name
  node_role_arn   = aws_iam_role.node.arn
  subnet_ids      = [var.subnet_id]
  ami_type        = "AL2023_x86_64_NVIDIA"
  capacity_type   = "CAPACITY_BLOCK"
  labels          = local.labels

  launch_template {
    id      = aws_launch_template.this.id
    version = aws_launch_template.this.latest_version
  }

  # Before its start a Capacity Block has no instances to give, so the group begins empty.
  scaling_config {
    min_size     = 0
    max_size     = var.capacity.count
    desired_size = 0
  }

  taint {
    key    = "nvidia.com/gpu"
    value  = "true"
    effect = "NO_SCHEDULE"
  }

  node_repair_config {
    enabled = true
  }

  update_config {
    max_unavailable = 1
  }

  lifecycle {
    ignore_changes = [scaling_config[0].desired_size]
  }

  depends_on = [aws_iam_role_policy_attachment.node]
}

resource "aws_eks_node_group" "steady" {
  count = local.scheduled ? 0 : 1

  cluster_name    = var.cluster_name
  node_group_name = var.node_group_name
  node_role_arn   = aws_iam_role.node.arn
  subnet_ids      = [var.subnet_id]
  ami_type        = "AL2023_x86_64_NVIDIA"
  capacity_type   = "ON_DEMAND"
  labels          = local.labels

  launch_template {
    id      = aws_launch_template.this.id
    version = aws_launch_template.this.latest_version
  }

  scaling_config {
    min_size     = var.capacity.count
    max_size     = var.capacity.count
    desired_size = var.capacity.count
  }

  taint {
    key    = "nvidia.com/gpu"
    value  = "true"
    effect = "NO_SCHEDULE"
  }

  node_repair_config {
    enabled = true
  }

  update_config {
    max_unavailable = 1
  }

  depends_on = [aws_iam_role_policy_attachment.node]
}
