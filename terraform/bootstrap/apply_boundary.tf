# The most that the apply role can ever do, whatever policy somebody gives it later. It bounds that role, not the roles that the role
# makes: what those may do is judged by the gate in the plan that makes them.
data "aws_iam_policy_document" "apply_boundary" {
  # For keys and passed roles the most is what the role has anyway: who could write a wider policy there could write any.
  source_policy_documents = [data.aws_iam_policy_document.apply_access.json]

  # Which of AWS's policies may be attached is not said again: a role's own policies, which may be written, can hold as much.
  statement {
    sid = "RolesOfTheStacks"
    actions = concat(
      tolist(data.aws_iam_policy_document.apply_roles.statement[0].actions),
      tolist(data.aws_iam_policy_document.apply_roles.statement[1].actions),
    )
    resources = local.role_arns
  }

  statement {
    sid = "Services"
    actions = [
      "aps:*Workspace*",
      "aps:*LoggingConfiguration",
      "aps:ListTagsForResource",
      "aps:*agResource",
      "autoscaling:Describe*",
      "cloudformation:*Stack*",
      "cloudformation:GetTemplate",
      "cloudformation:TagResource",
      "cloudformation:UntagResource",
      "cloudwatch:*Alarm*",
      "cloudwatch:*agResource",
      "cloudwatch:ListTagsForResource",
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
      "fsx:*DataRepositoryAssociation*",
      "fsx:*FileSystem*",
      "fsx:*agResource",
      "fsx:ListTagsForResource",
      "kms:Decrypt",
      "kms:DescribeKey",
      "kms:GenerateDataKey*",
      "kms:Get*",
      "kms:List*",
      "kms:Verify",
      "logs:*Log*",
      "logs:*KmsKey",
      "logs:*MetricFilter*",
      "logs:*RetentionPolicy",
      "logs:ListTagsForResource",
      "logs:TagResource",
      "logs:UntagResource",
      "sagemaker:Describe*",
      "sagemaker:List*",
      "scheduler:*Schedule*",
      "scheduler:ListTagsForResource",
      "sns:*Subscri*",
      "sns:*Topic*",
      "sns:*agResource",
      "sns:ListTagsForResource",
      "sns:Unsubscribe",
    ]
    resources = ["*"]

    condition {
      test     = "StringEquals"
      variable = "aws:RequestedRegion"
      values   = [var.region]
    }
  }

  statement {
    sid       = "HyperpodBuckets"
    actions   = ["s3:*"]
    resources = concat(local.hyperpod_bucket_arns, [for arn in local.hyperpod_bucket_arns : "${arn}/*"])
  }

  # Budgets has one endpoint for the whole partition, so no region bounds it.
  statement {
    sid       = "Budgets"
    actions   = ["budgets:*"]
    resources = ["arn:${local.partition}:budgets::${var.account_id}:budget/*"]
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
