# Volumes under a customer-managed key: SageMaker asks for a grant on the key whenever it adds or replaces a node.
data "aws_iam_policy_document" "volumes" {
  statement {
    sid       = "GrantVolumeKey"
    actions   = ["kms:CreateGrant"]
    resources = [var.kms_key_arn]

    condition {
      test     = "StringEquals"
      variable = "kms:ViaService"
      values   = ["sagemaker.${var.region}.amazonaws.com"]
    }

    condition {
      test     = "Bool"
      variable = "kms:GrantIsForAWSResource"
      values   = ["true"]
    }
  }

  # A statement of its own: the call has no grant, so a condition on grants would never hold.
  statement {
    sid       = "DescribeVolumeKey"
    actions   = ["kms:DescribeKey"]
    resources = [var.kms_key_arn]

    condition {
      test     = "StringEquals"
      variable = "kms:ViaService"
      values   = ["sagemaker.${var.region}.amazonaws.com"]
    }
  }
}
