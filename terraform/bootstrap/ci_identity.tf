locals {
  ci     = var.ci == null ? {} : { ci = var.ci }
  issuer = var.ci == null ? "" : trimprefix(var.ci.issuer, "https://")

  oidc_provider_arn = "${local.iam_arn}:oidc-provider/${local.issuer}"

  # Whole subjects, no pattern: a pattern over branches or environments trusts whoever may push a branch of a fitting name.
  plan_subjects = var.ci == null ? [] : [
    "repo:${var.ci.repository}:pull_request",
    "repo:${var.ci.repository}:ref:refs/heads/${var.ci.branch}",
  ]
  apply_subjects = var.ci == null ? [] : [
    for environment in var.ci.environments : "repo:${var.ci.repository}:environment:${environment}"
  ]
}

# IAM holds one provider per address and account: where another stack or region has made it, it is only named. IAM trusts the
# issuer's certificate by its authority: no thumbprint is needed.
resource "aws_iam_openid_connect_provider" "ci" {
  for_each = { for name, ci in local.ci : name => ci if ci.provider == "create" }

  url            = each.value.issuer
  client_id_list = ["sts.amazonaws.com"]
}

data "aws_iam_policy_document" "ci_trust" {
  for_each = var.ci == null ? {} : { plan = local.plan_subjects, apply = local.apply_subjects }

  statement {
    actions = ["sts:AssumeRoleWithWebIdentity"]

    principals {
      type        = "Federated"
      identifiers = [local.oidc_provider_arn]
    }

    condition {
      test     = "StringEquals"
      variable = "${local.issuer}:aud"
      values   = ["sts.amazonaws.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "${local.issuer}:sub"
      values   = each.value
    }
  }
}
