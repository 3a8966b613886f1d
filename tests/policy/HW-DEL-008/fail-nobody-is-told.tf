resource "aws_cloudwatch_metric_alarm" "gpus" {
  alarm_name          = "gpus"
  comparison_operator = "LessThanThreshold"
  evaluation_periods  = 1
  metric_name         = "node_gpu_limit"
  namespace           = "ContainerInsights"
  period              = 60
  statistic           = "Minimum"
  threshold           = 16
  actions_enabled     = false
}
