data "aws_partition" "current" {}

locals {
  partition = data.aws_partition.current.partition
}

# The model server's pods may read the weights and nothing else.
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

# The service account that the manifests of the model server name.
module "role" {
  source = "../pod-identity-role"

  name            = var.name
  cluster_name    = var.cluster_name
  cluster_arn     = var.cluster_arn
  account_id      = var.account_id
  namespace       = "serving"
  service_account = "model"
  policy_json     = { "read-weights" = data.aws_iam_policy_document.read_weights.json }
}
