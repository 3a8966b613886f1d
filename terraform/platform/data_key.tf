# One key for what the environment stores: logs, Kubernetes secrets, node volumes, buckets of the later stacks.
data "aws_iam_policy_document" "data_key" {
  # Without this statement IAM policies could not grant the key, and a wrong key policy could never be mended.
  statement {
    sid       = "AccountByIamPolicies"
    actions   = ["kms:*"]
    resources = ["*"]

    principals {
      type        = "AWS"
      identifiers = ["arn:${local.partition}:iam::${var.account_id}:root"]
    }
  }

  statement {
    sid = "CloudWatchLogs"
    actions = [
      "kms:Decrypt",
      "kms:Encrypt",
      "kms:GenerateDataKey*",
      "kms:ReEncrypt*",
    ]
    resources = ["*"]

    principals {
      type        = "Service"
      identifiers = ["logs.${var.region}.amazonaws.com"]
    }

    condition {
      test     = "ArnLike"
      variable = "kms:EncryptionContext:aws:logs:arn"
      values   = ["arn:${local.partition}:logs:${var.region}:${var.account_id}:log-group:*"]
    }
  }

  # Alarms and budget write to the encrypted topic as services, so only the key's policy can let them.
  statement {
    sid       = "AlertsToTheTopic"
    actions   = ["kms:Decrypt", "kms:GenerateDataKey*"]
    resources = ["*"]

    principals {
      type        = "Service"
      identifiers = ["budgets.amazonaws.com", "cloudwatch.amazonaws.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = [var.account_id]
    }
  }

  # Node volumes are made by the service-linked role of EC2 Auto Scaling, which has no IAM policy for keys and does not exist in
  # a new account, so it cannot be named here. Hence the same form as AWS's own key for EBS: whoever may use EC2 in this account.
  statement {
    sid = "VolumesThroughEc2"
    actions = [
      "kms:CreateGrant",
      "kms:Decrypt",
      "kms:DescribeKey",
      "kms:Encrypt",
      "kms:GenerateDataKey*",
      "kms:ReEncrypt*",
    ]
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
      values   = ["ec2.${var.region}.amazonaws.com"]
    }
  }
}

resource "aws_kms_key" "data" {
  description             = "Data of ${local.name}: logs, Kubernetes secrets, volumes, buckets"
  enable_key_rotation     = true
  deletion_window_in_days = 30
  policy                  = data.aws_iam_policy_document.data_key.json
}

resource "aws_kms_alias" "data" {
  name          = local.data_key_alias
  target_key_id = aws_kms_key.data.key_id
}
