data "aws_partition" "current" {}

locals {
  # Built from the name, so that the whole policy is in the first plan.
  arn = "arn:${data.aws_partition.current.partition}:s3:::${var.name}"
}

data "aws_iam_policy_document" "bucket" {
  statement {
    sid       = "DenyWithoutTls"
    effect    = "Deny"
    actions   = ["s3:*"]
    resources = [local.arn, "${local.arn}/*"]

    principals {
      type        = "*"
      identifiers = ["*"]
    }

    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = ["false"]
    }
  }

  statement {
    sid       = "DenyOtherAccounts"
    effect    = "Deny"
    actions   = ["s3:*"]
    resources = [local.arn, "${local.arn}/*"]

    principals {
      type        = "*"
      identifiers = ["*"]
    }

    condition {
      test     = "StringNotEqualsIfExists"
      variable = "aws:PrincipalAccount"
      values   = [var.account_id]
    }

    # Log delivery and other AWS services act with their own principal, which belongs to no account.
    condition {
      test     = "BoolIfExists"
      variable = "aws:PrincipalIsAWSService"
      values   = ["false"]
    }
  }
}

resource "aws_s3_bucket_policy" "this" {
  bucket = aws_s3_bucket.this.id
  policy = data.aws_iam_policy_document.bucket.json

  # S3 refuses two changes of a bucket's access at the same time.
  depends_on = [aws_s3_bucket_public_access_block.this]
}
