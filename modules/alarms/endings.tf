# The end of a block or a training plan is known from the beginning, so it needs no metric: one-time schedules write to the topic. They
# stay after they have fired, so the plan stays empty.
data "aws_partition" "current" {}

locals {
  notices = merge([
    for pool, window in var.pools : window.end == null ? {} : {
      for hours in var.notice_hours : "${pool}-${hours}h" => {
        pool  = pool
        end   = window.end
        hours = hours
        time  = timeadd(window.end, "-${hours}h")
      }
      # A block shorter than the notice gets none that comes before its start.
      if window.start == null ? true : timecmp(timeadd(window.end, "-${hours}h"), window.start) > 0
    }
  ]...)

  schedule_arn_prefix = "arn:${data.aws_partition.current.partition}:scheduler:${var.region}:${var.account_id}:schedule/default/${var.name}"
}

resource "aws_scheduler_schedule" "ending" {
  for_each = local.notices

  name                         = "${var.name}-${each.key}"
  description                  = "Says ${each.value.hours} hours before that pool ${each.value.pool} ends"
  schedule_expression          = "at(${formatdate("YYYY-MM-DD'T'hh:mm:ss", each.value.time)})"
  schedule_expression_timezone = "UTC"
  kms_key_arn                  = var.kms_key_arn

  flexible_time_window {
    mode = "OFF"
  }

  target {
    arn      = var.topic_arn
    role_arn = aws_iam_role.notice[0].arn
    input    = "The capacity of pool ${each.value.pool} on ${var.cluster_name} ends at ${each.value.end}, in ${each.value.hours} hours. Its nodes are drained before. The next reservation is a new pool beside this one."
  }

  depends_on = [aws_iam_role_policy.notice]
}

data "aws_iam_policy_document" "notice_trust" {
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

data "aws_iam_policy_document" "notice" {
  statement {
    sid       = "WriteToTheTopic"
    actions   = ["sns:Publish"]
    resources = [var.topic_arn]
  }

  # The topic is encrypted, and whoever publishes encrypts.
  statement {
    sid       = "EncryptForTheTopic"
    actions   = ["kms:Decrypt", "kms:GenerateDataKey"]
    resources = [var.kms_key_arn]

    condition {
      test     = "StringEquals"
      variable = "kms:ViaService"
      values   = ["sns.${var.region}.amazonaws.com"]
    }
  }

  # The scheduler reads the encrypted input of a schedule with the schedule's own role. A pattern and not the list, so that another pool
  # changes no policy: who reviews it sees only what is made.
  statement {
    sid       = "ReadTheseSchedules"
    actions   = ["kms:Decrypt"]
    resources = [var.kms_key_arn]

    condition {
      test     = "ArnLike"
      variable = "kms:EncryptionContext:aws:scheduler:schedule:arn"
      values   = ["${local.schedule_arn_prefix}-*h"]
    }
  }
}

resource "aws_iam_role" "notice" {
  count = length(local.notices) > 0 ? 1 : 0

  name               = "${var.name}-notice"
  description        = "Schedules that say when capacity of ${var.cluster_name} ends"
  assume_role_policy = data.aws_iam_policy_document.notice_trust.json
}

resource "aws_iam_role_policy" "notice" {
  count = length(local.notices) > 0 ? 1 : 0

  name   = "write-to-topic"
  role   = aws_iam_role.notice[0].name
  policy = data.aws_iam_policy_document.notice.json
}
