# The role is here, and not beside the capacity, because a service account has one: while a target changes, the pods of both targets
# run under it.
module "serving_role" {
  source = "../../modules/serving-role"

  name           = "${local.name}-serving"
  cluster_name   = module.control_plane.name
  cluster_arn    = local.cluster_arn
  account_id     = var.account_id
  region         = var.region
  weights_bucket = var.weights_bucket
}
