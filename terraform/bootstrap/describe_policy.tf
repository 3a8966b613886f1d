# What Terraform's refresh asks about the stacks. Reads of settings only: no object, no secret, no log event.
data "aws_iam_policy_document" "describe" {
  statement {
    sid = "Describe"
    actions = [
      "aps:DescribeLoggingConfiguration",
      "aps:DescribeWorkspace",
      "aps:ListTagsForResource",
      "autoscaling:Describe*",
      "cloudformation:DescribeStack*",
      "cloudformation:GetStackPolicy",
      "cloudformation:GetTemplate",
      "cloudwatch:DescribeAlarms",
      "cloudwatch:ListTagsForResource",
      "ec2:Describe*",
      "eks:Describe*",
      "eks:List*",
      "fsx:DescribeDataRepositoryAssociations",
      "fsx:DescribeFileSystems",
      "fsx:ListTagsForResource",
      "iam:GetOpenIDConnectProvider",
      "iam:GetPolicy",
      "iam:GetPolicyVersion",
      "iam:GetRole",
      "iam:GetRolePolicy",
      "iam:List*",
      "kms:DescribeKey",
      "kms:GetKeyPolicy",
      "kms:GetKeyRotationStatus",
      "kms:ListAliases",
      "kms:ListResourceTags",
      "logs:DescribeLogGroups",
      "logs:DescribeMetricFilters",
      "logs:ListTagsForResource",
      "s3:GetAccelerateConfiguration",
      "s3:GetBucket*",
      "s3:GetEncryptionConfiguration",
      "s3:GetLifecycleConfiguration",
      "s3:GetReplicationConfiguration",
      "s3:ListBucket",
      "sagemaker:DescribeCluster*",
      "sagemaker:DescribeTrainingPlan",
      "sagemaker:ListCluster*",
      "sagemaker:ListTags",
      "scheduler:GetSchedule",
      "scheduler:ListTagsForResource",
      "sns:GetSubscriptionAttributes",
      "sns:GetTopicAttributes",
      "sns:ListTagsForResource",
    ]
    resources = ["*"]
  }

  statement {
    sid       = "Budgets"
    actions   = ["budgets:ListTagsForResource", "budgets:ViewBudget"]
    resources = ["arn:${local.partition}:budgets::${var.account_id}:budget/*"]
  }

  # The start scripts of HyperPod nodes are compared with the plan; Terraform asks for their tags and heads.
  statement {
    sid       = "StartScripts"
    actions   = ["s3:GetObject", "s3:GetObjectTagging"]
    resources = ["${local.script_bucket_arn}/*"]
  }

  statement {
    sid       = "StartScriptsKey"
    actions   = ["kms:Decrypt"]
    resources = [local.keys_arn]

    condition {
      test     = "StringLike"
      variable = "kms:EncryptionContext:aws:s3:arn"
      values   = [local.script_bucket_arn, "${local.script_bucket_arn}/*"]
    }
  }
}

resource "aws_iam_policy" "describe" {
  for_each = local.ci

  name        = local.describe_name
  description = "Settings of what the stacks make"
  policy      = data.aws_iam_policy_document.describe.json
}
