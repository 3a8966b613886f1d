# Where everything that must not wait is said: alarms, endings of reservations, the budget. One topic per environment.
locals {
  alerts_topic_name = "${local.name}-alerts"
  alerts_topic_arn  = "arn:${local.partition}:sns:${var.region}:${var.account_id}:${local.alerts_topic_name}"
}

data "aws_iam_policy_document" "alerts" {
  statement {
    sid       = "AlarmsAndBudgetOfThisAccount"
    actions   = ["sns:Publish"]
    resources = [local.alerts_topic_arn]

    principals {
      type        = "Service"
      identifiers = ["budgets.amazonaws.com", "cloudwatch.amazonaws.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = [var.account_id]
    }
  }
}

# The policy is written here and not as a resource of its own, which would show as drift of the topic in the next plan.
resource "aws_sns_topic" "alerts" {
  name              = local.alerts_topic_name
  kms_master_key_id = aws_kms_key.data.arn
  policy            = data.aws_iam_policy_document.alerts.json
}

# Whoever is named gets a mail and hears nothing before the link in it was followed.
resource "aws_sns_topic_subscription" "mail" {
  for_each = toset(var.alerts.emails)

  topic_arn = aws_sns_topic.alerts.arn
  protocol  = "email"
  endpoint  = each.key
}
