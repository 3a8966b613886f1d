locals {
  # What IAM calls the issuer in conditions: the part of the provider's ARN behind oidc-provider/.
  issuer = split("oidc-provider/", var.oidc_provider_arn)[1]
}

data "aws_iam_policy_document" "trust" {
  statement {
    sid     = "ServiceAccount"
    actions = ["sts:AssumeRoleWithWebIdentity"]

    principals {
      type        = "Federated"
      identifiers = [var.oidc_provider_arn]
    }

    # Equal, not like: no other service account of the cluster, and nothing else that the issuer signs for.
    condition {
      test     = "StringEquals"
      variable = "${local.issuer}:sub"
      values   = ["system:serviceaccount:${var.namespace}:${var.service_account}"]
    }

    condition {
      test     = "StringEquals"
      variable = "${local.issuer}:aud"
      values   = ["sts.amazonaws.com"]
    }
  }

  dynamic "statement" {
    for_each = length(var.services) > 0 ? [sort(var.services)] : []

    content {
      sid     = "Services"
      actions = ["sts:AssumeRole"]

      principals {
        type        = "Service"
        identifiers = statement.value
      }
    }
  }
}

resource "aws_iam_role" "this" {
  name               = var.name
  description        = "Pods of ${var.namespace}/${var.service_account}"
  assume_role_policy = data.aws_iam_policy_document.trust.json
}

resource "aws_iam_role_policy" "this" {
  for_each = var.policy_json

  name   = each.key
  role   = aws_iam_role.this.name
  policy = each.value
}

resource "aws_iam_role_policy_attachment" "this" {
  for_each = var.managed_policy_arns

  role       = aws_iam_role.this.name
  policy_arn = each.value
}
