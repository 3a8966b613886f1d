# The most that the apply role can ever do, whatever policy somebody gives it later. It bounds that role, not the roles that the role
# makes: what those may do is judged by the gate in the plan that makes them.
data "aws_iam_policy_document" "apply_boundary" {
  # For roles and keys the most is what the role has anyway: who could write a wider policy there could write any.
  source_policy_documents = [data.aws_iam_policy_document.apply_access.json]

  statement {
    sid = "Services"
    actions = [
      "autoscaling:Describe*",
      "cloudformation:*Stack*",
      "cloudformation:GetTemplate",
      "cloudformation:TagResource",
      "cloudformation:UntagResource",
      "ec2:A*",
      "ec2:Create*",
      "ec2:D*",
      "ec2:Modify*",
      "ec2:Re*",
      "ec2:RunInstances",
      "eks:A*",
      "eks:Create*",
      "eks:D*",
      "eks:List*",
      "eks:TagResource",
      "eks:U*",
      "fsx:Describe*",
      "fsx:ListTagsForResource",
      "kms:Decrypt",
      "kms:DescribeKey",
      "kms:GenerateDataKey*",
      "kms:Get*",
      "kms:List*",
      "kms:Verify",
      "logs:*Log*",
      "logs:*KmsKey",
      "logs:*RetentionPolicy",
      "logs:ListTagsForResource",
      "logs:TagResource",
      "logs:UntagResource",
      "sagemaker:Describe*",
      "sagemaker:List*",
      "scheduler:*Schedule*",
      "scheduler:ListTagsForResource",
    ]
    resources = ["*"]

    condition {
      test     = "StringEquals"
      variable = "aws:RequestedRegion"
      values   = [var.region]
    }
  }

  statement {
    sid       = "LifecycleBuckets"
    actions   = ["s3:*"]
    resources = [local.lifecycle_buckets_arn, "${local.lifecycle_buckets_arn}/*"]
  }

  statement {
    sid       = "StateObjects"
    actions   = ["s3:DeleteObject", "s3:GetObject", "s3:PutObject"]
    resources = ["${local.state_bucket_arn}/*"]
  }

  # IAM is a global service: its requests go to one region of the partition.
  statement {
    sid = "Look"
    actions = [
      "iam:Get*",
      "iam:List*",
      "s3:GetAccelerateConfiguration",
      "s3:GetBucket*",
      "s3:GetEncryptionConfiguration",
      "s3:GetLifecycleConfiguration",
      "s3:GetReplicationConfiguration",
      "s3:ListBucket",
    ]
    resources = ["*"]
  }

  statement {
    sid       = "OwnRolesStay"
    effect    = "Deny"
    actions   = ["iam:A*", "iam:C*", "iam:D*", "iam:P*", "iam:T*", "iam:U*"]
    resources = [for name in [local.apply_role_name, local.plan_role_name] : "${local.iam_arn}:role/${name}"]
  }

  statement {
    sid    = "KeysOfBootstrapStay"
    effect = "Deny"
    actions = [
      "kms:CreateGrant",
      "kms:Disable*",
      "kms:Sign",
      "kms:UpdateKeyDescription",
    ]
    resources = ["*"]

    condition {
      test     = "ForAnyValue:StringEquals"
      variable = "kms:ResourceAliases"
      values   = [local.approvals_key_alias, local.artifacts_key_alias, local.state_key_alias]
    }
  }

  # An alias that is moved would take the names of these keys to others.
  statement {
    sid     = "AliasesOfBootstrapStay"
    effect  = "Deny"
    actions = ["kms:CreateAlias", "kms:DeleteAlias", "kms:UpdateAlias"]
    resources = [
      for alias in [local.approvals_key_alias, local.artifacts_key_alias, local.state_key_alias] :
      "arn:${local.partition}:kms:${var.region}:${var.account_id}:${alias}"
    ]
  }
}

resource "aws_iam_policy" "apply_boundary" {
  for_each = local.ci

  name        = local.boundary_name
  description = "The most that the apply role can do"
  policy      = data.aws_iam_policy_document.apply_boundary.json
}
