locals {
  everybody = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Principal = { AWS = "*" }, Action = "*", Resource = "*" }]
  })
}
resource "aws_kms_key" "this" {
  policy = local.everybody
}
resource "aws_kms_key_policy" "this" {
  key_id = "1234abcd-12ab-34cd-56ef-1234567890ab"
  policy = local.everybody
}
resource "aws_secretsmanager_secret_policy" "this" {
  secret_arn = "arn:aws:secretsmanager:us-west-2:111122223333:secret:token-AbCdEf"
  policy     = local.everybody
}
resource "aws_sqs_queue" "this" {
  policy = local.everybody
}
resource "aws_sqs_queue_policy" "this" {
  queue_url = "https://sqs.us-west-2.amazonaws.com/111122223333/jobs"
  policy    = local.everybody
}
resource "aws_sns_topic" "this" {
  policy = local.everybody
}
resource "aws_s3_bucket_policy" "this" {
  bucket = "weights"
  policy = local.everybody
}
resource "aws_ecr_repository_policy" "this" {
  repository = "vllm"
  policy     = local.everybody
}
resource "aws_ecr_registry_policy" "this" {
  policy = local.everybody
}
resource "aws_efs_file_system_policy" "this" {
  file_system_id = "fs-0123456789abcdef0"
  policy         = local.everybody
}
