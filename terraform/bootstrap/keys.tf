# Without this statement IAM policies could not grant a key, and a wrong key policy could never be mended.
data "aws_iam_policy_document" "key" {
  statement {
    sid       = "AccountByIamPolicies"
    actions   = ["kms:*"]
    resources = ["*"]

    principals {
      type        = "AWS"
      identifiers = ["${local.iam_arn}:root"]
    }
  }
}

# The state has a key of its own: who may read weights and images must not thereby read what Terraform knows.
resource "aws_kms_key" "state" {
  description             = "Terraform state and plan bundles"
  enable_key_rotation     = true
  deletion_window_in_days = 30
  policy                  = data.aws_iam_policy_document.key.json
}

resource "aws_kms_alias" "state" {
  name          = local.state_key_alias
  target_key_id = aws_kms_key.state.key_id
}

# FSx reads the weights bucket for a cache with a role of its own for each file system, which is not there before the file system is, and
# whose policy speaks of S3 alone. So the key names these roles by their path, and their account, because the principal can only be
# everybody. AWS's guides to such caches (read in copies, 2026-11-30) ask for Encrypt, ReEncrypt* and GenerateDataKey* too: those write to
# the bucket, and a cache only reads.
data "aws_iam_policy_document" "artifacts_key" {
  source_policy_documents = [data.aws_iam_policy_document.key.json]

  statement {
    sid       = "WeightsCachesRead"
    actions   = ["kms:Decrypt", "kms:DescribeKey"]
    resources = ["*"]

    principals {
      type        = "AWS"
      identifiers = ["*"]
    }

    condition {
      test     = "StringEquals"
      variable = "kms:CallerAccount"
      values   = [var.account_id]
    }

    condition {
      test     = "StringEquals"
      variable = "kms:ViaService"
      values   = ["s3.${var.region}.amazonaws.com"]
    }

    condition {
      test     = "ArnLike"
      variable = "aws:PrincipalArn"
      values   = ["${local.iam_arn}:role/aws-service-role/s3.data-source.lustre.fsx.amazonaws.com/*"]
    }
  }
}

# What all environments of the account share: weights and images. The data of one environment (logs, Kubernetes secrets, volumes,
# lifecycle scripts) has the key of its platform, so that an environment can go with its key.
resource "aws_kms_key" "artifacts" {
  description             = "Model weights and container images"
  enable_key_rotation     = true
  deletion_window_in_days = 30
  policy                  = data.aws_iam_policy_document.artifacts_key.json
}

resource "aws_kms_alias" "artifacts" {
  name          = local.artifacts_key_alias
  target_key_id = aws_kms_key.artifacts.key_id
}

# People sign approvals. A machine that could, could approve what it applies: CI's roles, and those that they can make.
data "aws_iam_policy_document" "approvals_key" {
  source_policy_documents = [data.aws_iam_policy_document.key.json]

  statement {
    sid       = "MachinesSignNothing"
    effect    = "Deny"
    actions   = ["kms:Sign"]
    resources = ["*"]

    principals {
      type        = "AWS"
      identifiers = ["*"]
    }

    condition {
      test     = "ArnLike"
      variable = "aws:PrincipalArn"
      values = concat(local.role_arns, [
        "${local.iam_arn}:role/${local.apply_role_name}",
        "${local.iam_arn}:role/${local.plan_role_name}",
      ])
    }
  }
}

# KMS does not rotate asymmetric keys: a signature made with an old one would no longer verify.
resource "aws_kms_key" "approvals" {
  description              = "Signatures of approvals"
  customer_master_key_spec = "RSA_4096"
  key_usage                = "SIGN_VERIFY"
  deletion_window_in_days  = 30
  policy                   = data.aws_iam_policy_document.approvals_key.json
}

resource "aws_kms_alias" "approvals" {
  name          = local.approvals_key_alias
  target_key_id = aws_kms_key.approvals.key_id
}
