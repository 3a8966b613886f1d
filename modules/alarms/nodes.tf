# Container Insights counts nodes per cluster and has no dimension for a node group, so this alarm is one for all pools. A cluster
# always has its system nodes: no data at all means that nobody looks any more, which must not pass for health.
resource "aws_cloudwatch_metric_alarm" "nodes_failed" {
  alarm_name          = "${var.name}-nodes-failed"
  alarm_description   = "A node of ${var.cluster_name} has a bad condition, or no agent reports. Look at: kubectl get nodes, kubectl describe node."
  namespace           = "ContainerInsights"
  metric_name         = "cluster_failed_node_count"
  dimensions          = { ClusterName = var.cluster_name }
  statistic           = "Maximum"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  period              = 300
  evaluation_periods  = 2
  treat_missing_data  = "breaching"
  alarm_actions       = [var.topic_arn]
  ok_actions          = [var.topic_arn]
}
