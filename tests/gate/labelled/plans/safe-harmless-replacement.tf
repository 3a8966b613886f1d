resource "terraform_data" "version" {
  triggers_replace = ["2"]
}

resource "aws_cloudwatch_metric_alarm" "gpu" {
  alarm_name          = "gpu-temperature-of-the-pool"
  comparison_operator = "GreaterThanThreshold"
  evaluation_periods  = 3
  metric_name         = "temperature"
  namespace           = "gpu"
  period              = 60
  statistic           = "Maximum"
  threshold           = 85
}
