resource "aws_ssm_association" "nodes" {
  name = "AWS-RunShellScript"
  targets {
    key    = "tag:eks:cluster-name"
    values = ["hawser-prod"]
  }
  parameters = { commands = "true" }
}
resource "aws_lambda_invocation" "this" {
  function_name = "rotate"
  input         = jsonencode({})
}
