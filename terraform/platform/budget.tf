# The whole account counts, not only what carries the environment's tag: a cost allocation tag shows nothing until somebody activates it in
# the billing console, and a budget that sees nothing is never exceeded.
locals {
  budget_notices = {
    actual-80    = { type = "ACTUAL", percent = 80 }
    actual-100   = { type = "ACTUAL", percent = 100 }
    forecast-100 = { type = "FORECASTED", percent = 100 }
  }
}

# The partition aws-us-gov has no endpoint of AWS Budgets (botocore 1.44.8, endpoints.json): there the bill is watched from the account that
# pays it.
resource "aws_budgets_budget" "month" {
  count = local.partition == "aws-us-gov" ? 0 : 1

  name         = "${local.name}-month"
  budget_type  = "COST"
  time_unit    = "MONTHLY"
  limit_amount = var.alerts.monthly_budget_usd
  limit_unit   = "USD"

  dynamic "notification" {
    for_each = local.budget_notices

    content {
      notification_type         = notification.value.type
      comparison_operator       = "GREATER_THAN"
      threshold                 = notification.value.percent
      threshold_type            = "PERCENTAGE"
      subscriber_sns_topic_arns = [local.alerts_topic_arn]
    }
  }

  # A budget is refused while it may not write to the topic.
  depends_on = [aws_sns_topic.alerts]
}
