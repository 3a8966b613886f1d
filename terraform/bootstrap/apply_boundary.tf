# The most that the apply role can ever do, whatever policy somebody gives it later. It bounds that role, not the roles that the role
# makes: what those may do is judged by the gate in the plan that makes them. IAM takes 6,144 characters, so names are shortened where
# the pattern reaches nothing else that is worth a line.
data "aws_iam_policy_document" "apply_boundary" {
  # Passed roles, keys, issuers and service-linked roles: the most is what the role has anyway. That leaves it no alias but those of data keys.
  source_policy_documents = [data.aws_iam_policy_document.apply_access.json, data.aws_iam_policy_document.apply_passing.json]

  # Which of AWS's policies may be attached is not said again: a role's own policies, which may be written, can hold as much.
  statement {
    sid = "RolesOfTheStacks"
    actions = [
      "iam:*RolePolicy",
      "iam:*agRole",
      "iam:CreateRole",
      "iam:DeleteRole",
      "iam:UpdateRole*",
    ]
    resources = local.role_arns
  }

  statement {
    sid = "Services"
    actions = [
      "aps:*Workspace*",
      "aps:*LoggingConfiguration",
      "aps:*Resource",
      "autoscaling:Describe*",
      "cloudformation:*Stack*",
      "cloudformation:GetTemplate",
      "cloudformation:*agResource",
      "cloudwatch:*Alarm*",
      "cloudwatch:*Resource",
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
      "fsx:*Resource",
      "kms:DescribeKey",
      "kms:Get*",
      "kms:List*",
      "kms:Verify",
      "logs:*Log*",
      "logs:*KmsKey",
      "logs:*MetricFilter*",
      "logs:*RetentionPolicy",
      "logs:*Resource",
      "logs:DescribeResourcePolicies",
      "logs:PutResourcePolicy",
      "sagemaker:Describe*",
      "sagemaker:List*",
      "scheduler:*Schedule*",
      "scheduler:*Resource",
      "sns:*Resource",
      "sns:*Topic*",
      "sns:*ubscri*",
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
    resources = concat(local.hyperpod_bucket_arns, ["${local.script_bucket_arn}/*"])
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
      "s3:Get*Configuration",
      "s3:GetBucket*",
      "s3:ListBucket",
    ]
    resources = ["*"]
  }

  statement {
    sid       = "OwnRolesStay"
    effect    = "Deny"
    actions   = ["iam:*"]
    resources = [for name in [local.apply_role_name, local.plan_role_name] : "${local.iam_arn}:role/${name}"]
  }

  statement {
    sid    = "KeysOfBootstrapStay"
    effect = "Deny"
    actions = [
      "kms:*agResource",
      "kms:CreateGrant",
      "kms:Disable*",
      "kms:PutKeyPolicy",
      "kms:ScheduleKeyDeletion",
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

  # Its state holds the trust and the rights of this role.
  statement {
    sid       = "StateOfBootstrapStays"
    effect    = "Deny"
    actions   = ["s3:DeleteObject", "s3:PutObject"]
    resources = ["${local.state_bucket_arn}/${var.account_id}/${var.region}/bootstrap.tfstate*"]
  }

  # Capacity is bought by people.
  statement {
    sid    = "BuysNothing"
    effect = "Deny"
    actions = [
      "ec2:AcceptReservedInstancesExchangeQuote",
      "ec2:CreateCapacityReservation*",
      "ec2:Purchase*",
    ]
    resources = ["*"]
  }
}

resource "aws_iam_policy" "apply_boundary" {
  for_each = local.ci

  name        = local.boundary_name
  description = "The most that the apply role can do"
  policy      = data.aws_iam_policy_document.apply_boundary.json
}
