locals {
  everybody = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Principal = "*", Action = "*", Resource = "*" }] })
}
resource "aws_cloudwatch_event_bus_policy" "this" {
  policy = local.everybody
}
resource "aws_backup_vault_policy" "this" {
  backup_vault_name = "vault"
  policy            = local.everybody
}
resource "aws_dynamodb_resource_policy" "this" {
  resource_arn = "arn:aws:dynamodb:us-west-2:111122223333:table/usage"
  policy       = local.everybody
}
resource "aws_opensearch_domain_policy" "this" {
  domain_name     = "logs"
  access_policies = local.everybody
}
resource "aws_sagemaker_model_package_group_policy" "this" {
  model_package_group_name = "models"
  resource_policy          = local.everybody
}
resource "aws_lambda_layer_version_permission" "this" {
  layer_name     = "tools"
  version_number = 1
  statement_id   = "all"
  action         = "lambda:GetLayerVersion"
  principal      = "*"
}
resource "aws_cloudwatch_event_permission" "this" {
  statement_id = "all"
  principal    = "*"
}
resource "aws_ssm_document" "this" {
  name          = "run"
  document_type = "Command"
  content       = jsonencode({ schemaVersion = "2.2" })
  permissions   = { type = "Share", account_ids = "All" }
}
resource "aws_vpc_endpoint_service" "this" {
  acceptance_required        = false
  allowed_principals         = ["*"]
  network_load_balancer_arns = ["arn:aws:elasticloadbalancing:us-west-2:111122223333:loadbalancer/net/api/0123456789abcdef"]
}
resource "aws_vpc_endpoint_service_allowed_principal" "this" {
  vpc_endpoint_service_id = "vpce-svc-0123456789abcdef0"
  principal_arn           = "*"
}
resource "aws_db_snapshot" "this" {
  db_instance_identifier = "usage"
  db_snapshot_identifier = "usage"
  shared_accounts        = ["all"]
}
