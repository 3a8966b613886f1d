module "control_plane" {
  source = "../../modules/eks-control-plane"

  name                = local.name
  account_id          = var.account_id
  region              = var.region
  kubernetes_version  = var.cluster.kubernetes_version
  subnet_ids          = values(module.network.control_plane_subnet_ids)
  public_access_cidrs = var.cluster.public_access_cidrs
  admin_principals    = var.cluster.admin_principals
  kms_key_arn         = aws_kms_key.data.arn
}
