# Plans a pull request: whoever may open one runs code with this role. So it reads settings and the states of the stacks, sees who holds
# their locks, and writes new bundles and nothing else: a plan of hawser takes no lock.
data "aws_iam_policy_document" "plan" {
  statement {
    sid       = "ReadState"
    actions   = ["s3:GetObject"]
    resources = concat(local.state_arns, local.lock_arns)
  }

  # With the header If-None-Match S3 writes only what is not there yet, so nobody's bundle is overwritten. The parts of a multipart upload
  # cannot carry it: a bundle is written by one request (S3 user guide, enforce conditional writes, 2026-11-30).
  statement {
    sid       = "WriteNewBundles"
    actions   = ["s3:PutObject"]
    resources = ["${local.state_bucket_arn}/${local.bundle_prefix}/*"]

    condition {
      test     = "Null"
      variable = "s3:if-none-match"
      values   = ["false"]
    }
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
