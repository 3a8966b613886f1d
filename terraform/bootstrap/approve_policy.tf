# For people who approve, whatever role they come with: attach it there. They read plans and states, which hold secrets, and write
# nothing but approvals: each under their own unique id, so that nobody can give another's, and never over one that is there.
data "aws_iam_policy_document" "approve" {
  statement {
    sid       = "Sign"
    actions   = ["kms:Sign"]
    resources = [local.keys_arn]

    condition {
      test     = "ForAnyValue:StringEquals"
      variable = "kms:ResourceAliases"
      values   = [local.approvals_key_alias]
    }

    condition {
      test     = "StringEquals"
      variable = "kms:SigningAlgorithm"
      values   = ["RSASSA_PSS_SHA_256"]
    }
  }

  statement {
    sid       = "PublicKey"
    actions   = ["kms:GetPublicKey"]
    resources = [local.keys_arn]

    condition {
      test     = "ForAnyValue:StringEquals"
      variable = "kms:ResourceAliases"
      values   = [local.approvals_key_alias]
    }
  }

  statement {
    sid       = "ReadBundlesAndStates"
    actions   = ["s3:GetObject"]
    resources = concat(local.bundle_arns, local.state_arns)
  }

  statement {
    sid       = "FindThem"
    actions   = ["s3:ListBucket"]
    resources = [local.state_bucket_arn]
  }

  # The unique id of a session ends with its name; it is the same in two sessions of one role and name.
  statement {
    sid       = "WriteOwnApproval"
    actions   = ["s3:PutObject"]
    resources = ["${local.state_bucket_arn}/${local.approval_prefix}/*/&{aws:userid}.json"]

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

resource "aws_iam_policy" "approve" {
  name        = local.approve_name
  description = "People: read plan bundles, and approve them"
  policy      = data.aws_iam_policy_document.approve.json
}
