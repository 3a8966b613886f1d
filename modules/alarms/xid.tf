# The NVIDIA driver reports every fault of a GPU to the kernel log as "NVRM: Xid (PCI:…): <number>". No metric of Container Insights
# holds it, so the lines are counted where Fluent Bit of the CloudWatch add-on puts the log of the hosts.
resource "aws_cloudwatch_log_metric_filter" "xid" {
  name           = "${var.name}-gpu-xid"
  log_group_name = var.host_log_group
  pattern        = "\"NVRM: Xid\""

  metric_transformation {
    namespace     = "hawser/${var.name}"
    name          = "GpuXid"
    value         = "1"
    default_value = "0"
  }
}

# Lines come only when something is wrong, so no data is the healthy state.
resource "aws_cloudwatch_metric_alarm" "xid" {
  alarm_name          = "${var.name}-gpu-xid"
  alarm_description   = "A GPU of ${var.cluster_name} reported a fault (Xid). Look for \"NVRM: Xid\" in log group ${var.host_log_group}: the number says whether the program, the GPU or the link is at fault."
  namespace           = aws_cloudwatch_log_metric_filter.xid.metric_transformation[0].namespace
  metric_name         = aws_cloudwatch_log_metric_filter.xid.metric_transformation[0].name
  statistic           = "Sum"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  period              = 300
  evaluation_periods  = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = [var.topic_arn]
  ok_actions          = [var.topic_arn]
}
