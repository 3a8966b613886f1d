# The size of a Capacity Block pool follows the block, without anybody awake: up at its start, to zero one hour before its end, well
# before EC2 begins to take the instances back (30 minutes before the end).
# One-time schedules stay after they have fired, so the plan stays empty; scheduled actions of Auto Scaling vanish and come back as changes.
locals {
  schedule_arn_prefix = "arn:${data.aws_partition.current.partition}:scheduler:${var.region}:${var.account_id}:schedule/default/${var.name}"

  schedules = local.scheduled ? {
    start = { time = var.capacity.start, desired_size = var.capacity.count }
    end   = { time = timeadd(var.capacity.end, "-60m"), desired_size = 0 }
  } : {}
}

resource "aws_scheduler_schedule" "this" {
  for_each = local.schedules

  name                         = "${var.name}-${each.key}"
  description                  = "Sets node group ${var.cluster_name}/${var.node_group_name} to ${each.value.desired_size} nodes"
  schedule_expression          = "at(${formatdate("YYYY-MM-DD'T'hh:mm:ss", each.value.time)})"
  schedule_expression_timezone = "UTC"
  kms_key_arn                  = var.kms_key_arn

  flexible_time_window {
    mode = "OFF"
  }

  target {
    arn      = "arn:${data.aws_partition.current.partition}:scheduler:::aws-sdk:eks:updateNodegroupConfig"
    role_arn = aws_iam_role.schedule[0].arn

    # The scheduler wants the field names with a capital, unlike the EKS API itself.
    input = jsonencode({
      ClusterName   = var.cluster_name
      NodegroupName = aws_eks_node_group.scheduled[0].node_group_name
      ScalingConfig = {
        MinSize     = 0
        MaxSize     = var.capacity.count
        DesiredSize = each.value.desired_size
      }
    })

    # EKS refuses the call while another update of the node group runs. After an hour a scale-down would come too late.
    retry_policy {
      maximum_event_age_in_seconds = 3600
      maximum_retry_attempts       = 60
    }
  }

  depends_on = [aws_iam_role_policy.schedule]
}

data "aws_iam_policy_document" "schedule_trust" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["scheduler.amazonaws.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = [var.account_id]
    }
  }
}

data "aws_iam_policy_document" "schedule" {
  statement {
    sid       = "ResizeThisNodeGroup"
    actions   = ["eks:UpdateNodegroupConfig"]
    resources = ["arn:${data.aws_partition.current.partition}:eks:${var.region}:${var.account_id}:nodegroup/${var.cluster_name}/${var.node_group_name}/*"]
  }

  # The scheduler reads the encrypted input of a schedule with the schedule's own role.
  statement {
    sid       = "ReadTheseSchedules"
    actions   = ["kms:Decrypt"]
    resources = [var.kms_key_arn]

    condition {
      test     = "StringEquals"
      variable = "kms:EncryptionContext:aws:scheduler:schedule:arn"
      values   = ["${local.schedule_arn_prefix}-end", "${local.schedule_arn_prefix}-start"]
    }
  }
}

resource "aws_iam_role" "schedule" {
  count = local.scheduled ? 1 : 0

  name               = "${var.name}-schedule"
  description        = "Schedules that size node group ${var.cluster_name}/${var.node_group_name}"
  assume_role_policy = data.aws_iam_policy_document.schedule_trust.json
}

resource "aws_iam_role_policy" "schedule" {
  count = local.scheduled ? 1 : 0

  name   = "resize-node-group"
  role   = aws_iam_role.schedule[0].name
  policy = data.aws_iam_policy_document.schedule.json
}
