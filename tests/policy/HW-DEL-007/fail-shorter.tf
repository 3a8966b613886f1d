resource "aws_cloudwatch_log_group" "some" {
  name              = "some"
  retention_in_days = 1
}
resource "aws_cloudwatch_log_group" "for_ever" {
  name              = "for-ever"
  retention_in_days = 30
}
resource "aws_kms_key" "data" {
  enable_key_rotation     = true
  deletion_window_in_days = 7
}
