# Metrics of engine and GPUs, kept where they can be asked for percentiles. Whatever scrapes the pods writes to it.
resource "aws_prometheus_workspace" "this" {
  alias       = local.name
  kms_key_arn = aws_kms_key.data.arn

  logging_configuration {
    log_group_arn = "${aws_cloudwatch_log_group.prometheus.arn}:*"
  }
}

# Prometheus writes only to groups below this prefix.
resource "aws_cloudwatch_log_group" "prometheus" {
  name              = "/aws/vendedlogs/prometheus/${local.name}"
  retention_in_days = 365
  kms_key_id        = aws_kms_key.data.arn
}

# The groups of the CloudWatch add-on. It would make its own, without encryption and kept for ever.
resource "aws_cloudwatch_log_group" "container_insights" {
  for_each = toset(["application", "dataplane", "host", "performance"])

  name              = "/aws/containerinsights/${local.name}/${each.key}"
  retention_in_days = 365
  kms_key_id        = aws_kms_key.data.arn
}

module "cloudwatch_role" {
  source = "../../modules/pod-identity-role"

  name            = "${local.name}-cloudwatch"
  cluster_name    = module.control_plane.name
  cluster_arn     = local.cluster_arn
  account_id      = var.account_id
  namespace       = "amazon-cloudwatch"
  service_account = "cloudwatch-agent"

  managed_policy_arns = {
    agent = "arn:${local.partition}:iam::aws:policy/CloudWatchAgentServerPolicy"
  }
}
