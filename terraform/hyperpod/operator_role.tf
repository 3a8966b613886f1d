# The operator's own role. Its name must begin so: AWS's managed policy lets it pass such roles only. SageMaker takes the role too, for
# the part that registers endpoints.
locals {
  operator_role = "SageMakerHyperPodInference-${var.cluster_name}"
}

# The managed policy reads and writes hyperpod-tls* buckets, but knows nothing of a customer-managed key.
data "aws_iam_policy_document" "operator" {
  statement {
    sid = "KeyOfTheCertificateBucket"
    actions = [
      "kms:Decrypt",
      "kms:GenerateDataKey",
    ]
    resources = [var.data_kms_key_arn]

    condition {
      test     = "StringEquals"
      variable = "kms:ViaService"
      values   = ["s3.${var.region}.amazonaws.com"]
    }

    condition {
      test     = "StringLike"
      variable = "kms:EncryptionContext:aws:s3:arn"
      values = [
        "arn:${local.partition}:s3:::${local.certificate_bucket}",
        "arn:${local.partition}:s3:::${local.certificate_bucket}/*",
      ]
    }
  }
}

module "operator_role" {
  source = "../../modules/irsa-role"

  name              = local.operator_role
  oidc_provider_arn = var.oidc_provider_arn
  namespace         = local.operator_namespace
  service_account   = "hyperpod-inference-controller-manager"
  services          = ["sagemaker.amazonaws.com"]

  managed_policy_arns = {
    operator = "arn:${local.partition}:iam::aws:policy/AmazonSageMakerHyperPodInferenceAccess"
  }

  policy_json = {
    certificate-key = data.aws_iam_policy_document.operator.json
  }
}
