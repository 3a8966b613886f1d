resource "aws_cloudwatch_log_group" "audit" {
  name              = "/hawser/audit"
  retention_in_days = 1
}
