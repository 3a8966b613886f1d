resource "aws_cloudwatch_log_group" "audit" {
  name              = "/hawser/audit"
  retention_in_days = 400
  kms_key_id        = "arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
}

resource "aws_cloudwatch_log_group" "trace" {
  name              = "/hawser/trace"
  retention_in_days = 0
  kms_key_id        = "arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
}
