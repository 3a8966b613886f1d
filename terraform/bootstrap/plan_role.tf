# Plans a pull request: whoever may open one runs code with this role. So it reads settings and state, writes bundles, and nothing
# else; it cannot write a lock, so it plans without one (-lock=false).
data "aws_iam_policy_document" "plan" {
  statement {
    sid       = "ReadState"
    actions   = ["s3:GetObject"]
    resources = ["${local.state_bucket_arn}/*.tfstate"]
  }

  statement {
    sid       = "WriteBundles"
    actions   = ["s3:PutObject"]
    resources = ["${local.state_bucket_arn}/${local.bundle_prefix}/*"]
  }

  statement {
    sid       = "StateKey"
    actions   = ["kms:Decrypt", "kms:GenerateDataKey"]
    resources = [local.keys_arn]

    condition {
      test     = "ForAnyValue:StringEquals"
      variable = "kms:ResourceAliases"
      values   = [local.state_key_alias]
    }

    condition {
      test     = "StringEquals"
      variable = "kms:ViaService"
      values   = ["s3.${var.region}.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "plan" {
  for_each = local.ci

  name                 = local.plan_role_name
  description          = "CI: plans, and reads state"
  assume_role_policy   = data.aws_iam_policy_document.ci_trust["plan"].json
  max_session_duration = 3600
}

resource "aws_iam_role_policy" "plan" {
  for_each = local.ci

  name   = "state-and-bundles"
  role   = aws_iam_role.plan[each.key].name
  policy = data.aws_iam_policy_document.plan.json
}

resource "aws_iam_role_policy_attachment" "plan" {
  for_each = local.ci

  role       = aws_iam_role.plan[each.key].name
  policy_arn = aws_iam_policy.describe[each.key].arn
}
