resource "aws_ssm_document" "check" {
  name          = "check"
  document_type = "Command"
  content = jsonencode({
    schemaVersion = "2.2"
    mainSteps     = [{ action = "aws:runShellScript", name = "check", inputs = { runCommand = ["true"] } }]
  })
}
