resource "terraform_data" "days" {
  input = 30
}
resource "aws_cloudwatch_log_group" "some" {
  name              = "some"
  retention_in_days = terraform_data.days.output
}
