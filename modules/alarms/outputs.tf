output "alarm_names" {
  description = "Names of the CloudWatch alarms, sorted."
  value = sort(concat(
    [aws_cloudwatch_metric_alarm.nodes_failed.alarm_name, aws_cloudwatch_metric_alarm.xid.alarm_name],
    aws_cloudwatch_metric_alarm.queue[*].alarm_name,
    aws_cloudwatch_metric_alarm.first_token[*].alarm_name,
  ))
}
