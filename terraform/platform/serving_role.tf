# The model server's pods may read the weights and nothing else. The role is here, and not beside the capacity, because a service
# account has one: while a target changes, the pods of both targets run under it.
data "aws_iam_policy_document" "read_weights" {
  statement {
    sid       = "ListWeights"
    actions   = ["s3:ListBucket"]
    resources = ["arn:${local.partition}:s3:::${var.weights_bucket}"]
  }

  statement {
    sid       = "ReadWeights"
    actions   = ["s3:GetObject"]
    resources = ["arn:${local.partition}:s3:::${var.weights_bucket}/*"]
  }

  # The bucket is older than the environment and has a key of its own, whose id is not known here: any key of the account, but only
  # to read objects of this bucket.
  statement {
    sid       = "DecryptWeights"
    actions   = ["kms:Decrypt"]
    resources = ["arn:${local.partition}:kms:${var.region}:${var.account_id}:key/*"]

    condition {
      test     = "StringEquals"
      variable = "kms:ViaService"
      values   = ["s3.${var.region}.amazonaws.com"]
    }

    condition {
      test     = "StringLike"
      variable = "kms:EncryptionContext:aws:s3:arn"
      values = [
        "arn:${local.partition}:s3:::${var.weights_bucket}",
        "arn:${local.partition}:s3:::${var.weights_bucket}/*",
      ]
    }
  }
}

module "serving_role" {
  source = "../../modules/pod-identity-role"

  name            = "${local.name}-serving"
  cluster_name    = module.control_plane.name
  cluster_arn     = local.cluster_arn
  account_id      = var.account_id
  namespace       = "serving"
  service_account = "model"
  policy_json     = { "read-weights" = data.aws_iam_policy_document.read_weights.json }
}
