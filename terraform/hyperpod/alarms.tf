# None on an existing platform that gave no topic to tell.
module "alarms" {
  source = "../../modules/alarms"
  count  = var.alerts_topic_arn == null ? 0 : 1

  name           = "${var.cluster_name}-hyperpod" # while the target changes, both stacks are there
  cluster_name   = var.cluster_name
  account_id     = var.account_id
  region         = var.region
  topic_arn      = var.alerts_topic_arn
  kms_key_arn    = var.data_kms_key_arn
  host_log_group = coalesce(var.host_log_group, "/aws/containerinsights/${var.cluster_name}/host")
  pools          = { for name, pool in var.pools : name => { start = pool.start, end = pool.end } }

  # By namespace, because pods come and go: serving is where the model server runs.
  engine = one([
    for engine in var.alarms.engine[*] : merge(engine, { dimensions = { ClusterName = var.cluster_name, Namespace = "serving" } })
  ])
}
