resource "aws_sqs_queue" "stays" {
  name                    = "stays"
  sqs_managed_sse_enabled = true
}
