# Metrics of the engine reach CloudWatch only through an exporter, which is not part of this module. Without one these two alarms stay in
# INSUFFICIENT_DATA, which is the truth: neither OK, which nobody measured, nor an alarm that is always on.
resource "aws_cloudwatch_metric_alarm" "queue" {
  count = var.engine == null ? 0 : 1

  alarm_name          = "${var.name}-queue-length"
  alarm_description   = "For 15 minutes more than ${var.engine.queue_length} requests waited for the model on ${var.cluster_name}. More replicas, or fewer clients."
  namespace           = var.engine.namespace
  metric_name         = var.engine.queue_metric
  dimensions          = var.engine.dimensions
  statistic           = "Average"
  comparison_operator = "GreaterThanThreshold"
  threshold           = var.engine.queue_length
  period              = 300
  evaluation_periods  = 3
  treat_missing_data  = "missing"
  alarm_actions       = [var.topic_arn]
  ok_actions          = [var.topic_arn]
}

resource "aws_cloudwatch_metric_alarm" "first_token" {
  count = var.engine == null ? 0 : 1

  alarm_name          = "${var.name}-first-token-p99"
  alarm_description   = "For 15 minutes one request in a hundred waited more than ${var.engine.first_token_seconds} s for its first token on ${var.cluster_name}."
  namespace           = var.engine.namespace
  metric_name         = var.engine.first_token_metric
  dimensions          = var.engine.dimensions
  extended_statistic  = "p99"
  comparison_operator = "GreaterThanThreshold"
  threshold           = var.engine.first_token_seconds
  period              = 300
  evaluation_periods  = 3
  treat_missing_data  = "missing"
  # A few slow requests at night are not a percentile.
  evaluate_low_sample_count_percentiles = "ignore"
  alarm_actions                         = [var.topic_arn]
  ok_actions                            = [var.topic_arn]
}
