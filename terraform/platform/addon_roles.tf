module "vpc_cni_role" {
  source = "../../modules/pod-identity-role"

  name            = "${local.name}-vpc-cni"
  cluster_name    = module.control_plane.name
  cluster_arn     = local.cluster_arn
  account_id      = var.account_id
  namespace       = "kube-system"
  service_account = "aws-node"

  managed_policy_arns = {
    cni = "arn:${local.partition}:iam::aws:policy/AmazonEKS_CNI_Policy"
  }
}

module "ebs_csi_role" {
  source = "../../modules/pod-identity-role"

  name            = "${local.name}-ebs-csi"
  cluster_name    = module.control_plane.name
  cluster_arn     = local.cluster_arn
  account_id      = var.account_id
  namespace       = "kube-system"
  service_account = "ebs-csi-controller-sa"

  managed_policy_arns = {
    ebs = "arn:${local.partition}:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy"
  }
}

# File systems are made by Terraform, the driver only mounts them: it may look, not create or delete.
data "aws_iam_policy_document" "fsx_csi" {
  statement {
    sid       = "LookAtFileSystems"
    actions   = ["fsx:DescribeFileSystems"]
    resources = ["*"] # this action knows no resources
  }

  statement {
    sid       = "LookAtTheirTags"
    actions   = ["fsx:ListTagsForResource"]
    resources = ["arn:${local.partition}:fsx:${var.region}:${var.account_id}:file-system/*"]
  }
}

module "fsx_csi_role" {
  source = "../../modules/pod-identity-role"

  name            = "${local.name}-fsx-csi"
  cluster_name    = module.control_plane.name
  cluster_arn     = local.cluster_arn
  account_id      = var.account_id
  namespace       = "kube-system"
  service_account = "fsx-csi-controller-sa"

  policy_json = {
    describe-file-systems = data.aws_iam_policy_document.fsx_csi.json
  }
}
