# Applies what was approved, from a protected environment of the CI only. It makes the stacks of the environments and never this one:
# people apply bootstrap, with rights of their own.
locals {
  # Where CI keeps plan bundles in the state bucket, and where people put approvals of them.
  bundle_prefix   = "bundles"
  approval_prefix = "approvals"

  # States of the stacks that CI plans and applies; bootstrap's is none of them.
  state_arns = [for stack in ["eks", "hyperpod", "platform"] : "${local.state_bucket_arn}/*/${stack}.tfstate"]
  lock_arns  = [for arn in local.state_arns : "${arn}.tflock"]

  bundle_arns = [for prefix in [local.approval_prefix, local.bundle_prefix] : "${local.state_bucket_arn}/${prefix}/*"]

  # Of start scripts, whose objects the stacks make, and of certificates, whose objects are the operator's alone.
  script_bucket_arn    = "arn:${local.partition}:s3:::sagemaker-*-${var.account_id}-${var.region}"
  hyperpod_bucket_arns = ["arn:${local.partition}:s3:::hyperpod-tls-*-${var.account_id}", local.script_bucket_arn]

  # Names of the roles that the stacks make; a test compares them with the stacks. AWS wants the operator's to begin so.
  role_arns = [
    for name in [
      "*-cloudformation", "*-cloudwatch", "*-control-plane", "*-ebs-csi", "*-flow-logs", "*-fsx-csi", "*-hyperpod-execution",
      "*-load-balancer", "*-node", "*-notice", "*-schedule", "*-serving", "*-vpc-cni", "SageMakerHyperPodInference-*",
    ] : "${local.iam_arn}:role/${name}"
  ]

  # AWS's own policies that the stacks attach.
  managed_policy_arns = [
    for name in [
      "AmazonEC2ContainerRegistryPullOnly", "AmazonEKSClusterPolicy", "AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy",
      "AmazonSSMManagedInstanceCore", "AmazonSageMakerClusterInstanceRolePolicy", "AmazonSageMakerHyperPodInferenceAccess",
      "CloudWatchAgentServerPolicy", "service-role/AmazonEBSCSIDriverPolicy",
    ] : "arn:${local.partition}:iam::aws:policy/${name}"
  ]

  eks_arns = [
    for kind in ["access-entry", "addon", "cluster", "nodegroup", "podidentityassociation"] :
    "arn:${local.partition}:eks:${var.region}:${var.account_id}:${kind}/*"
  ]
}

data "aws_iam_policy_document" "apply_state" {
  statement {
    sid       = "WriteState"
    actions   = ["s3:GetObject", "s3:PutObject"]
    resources = concat(local.state_arns, local.lock_arns)
  }

  statement {
    sid       = "ReleaseLock"
    actions   = ["s3:DeleteObject"]
    resources = local.lock_arns
  }

  statement {
    sid       = "ReadBundles"
    actions   = ["s3:GetObject"]
    resources = local.bundle_arns
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
  }
}

data "aws_iam_policy_document" "apply_network" {
  # EC2 gives most of these no narrower resource before the thing is there. Nothing here buys capacity: no Purchase*, no reservation.
  statement {
    sid = "Network"
    actions = [
      "ec2:AllocateAddress",
      "ec2:Associate*RouteTable",
      "ec2:AttachInternetGateway",
      "ec2:AuthorizeSecurityGroup*",
      "ec2:CreateFlowLogs",
      "ec2:CreateInternetGateway",
      "ec2:CreateLaunchTemplate*",
      "ec2:CreateNatGateway",
      "ec2:CreateRoute*",
      "ec2:CreateSecurityGroup",
      "ec2:CreateSubnet",
      "ec2:CreateTags",
      "ec2:CreateVpc*",
      "ec2:DeleteFlowLogs",
      "ec2:DeleteInternetGateway",
      "ec2:DeleteLaunchTemplate*",
      "ec2:DeleteNatGateway",
      "ec2:DeleteRoute*",
      "ec2:DeleteSecurityGroup",
      "ec2:DeleteSubnet",
      "ec2:DeleteTags",
      "ec2:DeleteVpc*",
      "ec2:DetachInternetGateway",
      "ec2:DisassociateAddress",
      "ec2:DisassociateRouteTable",
      "ec2:ModifyLaunchTemplate",
      "ec2:ModifySecurityGroupRules",
      "ec2:ModifySubnetAttribute",
      "ec2:ModifyVpc*",
      "ec2:ReleaseAddress",
      "ec2:ReplaceRoute*",
      "ec2:RevokeSecurityGroup*",
      "ec2:RunInstances",
    ]
    resources = ["*"]

    condition {
      test     = "StringEquals"
      variable = "aws:RequestedRegion"
      values   = [var.region]
    }
  }

  # Flow logs and the logs of a Prometheus workspace are delivered by CloudWatch Logs, which asks whoever sets a delivery up for these on
  # everything (unverified for Prometheus, 2026-11-30). The resource policy lets the delivery write.
  statement {
    sid = "LogDelivery"
    actions = [
      "logs:CreateLogDelivery",
      "logs:DeleteLogDelivery",
      "logs:DescribeLogGroups",
      "logs:DescribeResourcePolicies",
      "logs:GetLogDelivery",
      "logs:ListLogDeliveries",
      "logs:PutResourcePolicy",
      "logs:UpdateLogDelivery",
    ]
    resources = ["*"]
  }

  statement {
    sid = "LogGroups"
    actions = [
      "logs:AssociateKmsKey",
      "logs:CreateLogGroup",
      "logs:DeleteLogGroup",
      "logs:DeleteMetricFilter",
      "logs:DeleteRetentionPolicy",
      "logs:DisassociateKmsKey",
      "logs:PutMetricFilter",
      "logs:PutRetentionPolicy",
      "logs:TagResource",
      "logs:UntagResource",
    ]
    resources = ["arn:${local.partition}:logs:${var.region}:${var.account_id}:log-group:*"]
  }
}

data "aws_iam_policy_document" "apply_cluster" {
  # A cluster that is not there yet is no resource for EKS.
  statement {
    sid       = "NewClusters"
    actions   = ["eks:CreateCluster"]
    resources = ["*"]

    condition {
      test     = "StringEquals"
      variable = "aws:RequestedRegion"
      values   = [var.region]
    }
  }

  statement {
    sid = "Clusters"
    actions = [
      "eks:Associate*",
      "eks:CreateAccessEntry",
      "eks:CreateAddon",
      "eks:CreateNodegroup",
      "eks:CreatePodIdentityAssociation",
      "eks:Delete*",
      "eks:DisassociateAccessPolicy",
      "eks:TagResource",
      "eks:UntagResource",
      "eks:Update*",
    ]
    resources = local.eks_arns
  }

  # The HyperPod cluster is made by CloudFormation with the role that platform made for it, never with this one's rights.
  statement {
    sid = "HyperpodStack"
    actions = [
      "cloudformation:CreateStack",
      "cloudformation:UpdateStack",
    ]
    resources = ["arn:${local.partition}:cloudformation:${var.region}:${var.account_id}:stack/*"]

    condition {
      test     = "ArnLike"
      variable = "cloudformation:RoleArn"
      values   = ["${local.iam_arn}:role/*-cloudformation"]
    }
  }

  statement {
    # A delete names no role: CloudFormation keeps to the one that the stack was made with.
    sid = "HyperpodStackSettings"
    actions = [
      "cloudformation:DeleteStack",
      "cloudformation:SetStackPolicy",
      "cloudformation:TagResource",
      "cloudformation:UntagResource",
    ]
    resources = ["arn:${local.partition}:cloudformation:${var.region}:${var.account_id}:stack/*"]
  }

  statement {
    sid       = "Schedules"
    actions   = ["scheduler:CreateSchedule", "scheduler:DeleteSchedule", "scheduler:UpdateSchedule"]
    resources = ["arn:${local.partition}:scheduler:${var.region}:${var.account_id}:schedule/default/*"]
  }

  statement {
    sid = "HyperpodBuckets"
    actions = [
      "s3:CreateBucket",
      "s3:DeleteBucket",
      "s3:DeleteBucketPolicy",
      "s3:ListBucketVersions",
      "s3:PutBucket*",
      "s3:PutEncryptionConfiguration",
      "s3:PutLifecycleConfiguration",
    ]
    resources = local.hyperpod_bucket_arns
  }

  statement {
    sid = "StartScripts"
    actions = [
      "s3:DeleteObject",
      "s3:DeleteObjectVersion",
      "s3:GetObjectVersion",
      "s3:PutObject",
      "s3:PutObjectTagging",
    ]
    resources = ["${local.script_bucket_arn}/*"]
  }
}

data "aws_iam_policy_document" "apply_watching" {
  statement {
    sid = "Alarms"
    actions = [
      "cloudwatch:DeleteAlarms",
      "cloudwatch:PutMetricAlarm",
      "cloudwatch:TagResource",
      "cloudwatch:UntagResource",
    ]
    resources = ["arn:${local.partition}:cloudwatch:${var.region}:${var.account_id}:alarm:*"]
  }

  statement {
    sid = "Topics"
    actions = [
      "sns:CreateTopic",
      "sns:DeleteTopic",
      "sns:SetTopicAttributes",
      "sns:Subscribe",
      "sns:TagResource",
      "sns:UntagResource",
    ]
    resources = ["arn:${local.partition}:sns:${var.region}:${var.account_id}:*-alerts"]
  }

  # SNS takes no narrower resource for the end of a subscription.
  statement {
    sid       = "Unsubscribe"
    actions   = ["sns:Unsubscribe"]
    resources = ["*"]

    condition {
      test     = "StringEquals"
      variable = "aws:RequestedRegion"
      values   = [var.region]
    }
  }

  statement {
    sid       = "Budgets"
    actions   = ["budgets:ModifyBudget", "budgets:TagResource", "budgets:UntagResource"]
    resources = ["arn:${local.partition}:budgets::${var.account_id}:budget/*"]
  }

  statement {
    sid       = "NewWorkspaces"
    actions   = ["aps:CreateWorkspace"]
    resources = ["*"]

    condition {
      test     = "StringEquals"
      variable = "aws:RequestedRegion"
      values   = [var.region]
    }
  }

  statement {
    sid = "Workspaces"
    actions = [
      "aps:CreateLoggingConfiguration",
      "aps:DeleteLoggingConfiguration",
      "aps:DeleteWorkspace",
      "aps:TagResource",
      "aps:UntagResource",
      "aps:UpdateLoggingConfiguration",
      "aps:UpdateWorkspaceAlias",
    ]
    resources = ["arn:${local.partition}:aps:${var.region}:${var.account_id}:workspace/*"]
  }

  statement {
    sid = "WeightsCaches"
    actions = [
      "fsx:*DataRepositoryAssociation",
      "fsx:CreateFileSystem",
      "fsx:DeleteFileSystem",
      "fsx:TagResource",
      "fsx:UntagResource",
      "fsx:UpdateFileSystem",
    ]
    resources = [
      for kind in ["association", "file-system"] : "arn:${local.partition}:fsx:${var.region}:${var.account_id}:${kind}/*"
    ]
  }
}

data "aws_iam_policy_document" "apply_roles" {
  statement {
    sid = "RolesOfTheStacks"
    actions = [
      "iam:CreateRole",
      "iam:DeleteRole",
      "iam:DeleteRolePolicy",
      "iam:PutRolePolicy",
      "iam:TagRole",
      "iam:UntagRole",
      "iam:UpdateAssumeRolePolicy",
      "iam:UpdateRole",
      "iam:UpdateRoleDescription",
    ]
    resources = local.role_arns
  }

  statement {
    sid       = "ManagedPoliciesOfTheStacks"
    actions   = ["iam:AttachRolePolicy", "iam:DetachRolePolicy"]
    resources = local.role_arns

    condition {
      test     = "ArnEquals"
      variable = "iam:PolicyARN"
      values   = local.managed_policy_arns
    }
  }
}

data "aws_iam_policy_document" "apply_passing" {
  statement {
    sid       = "PassRolesOfTheStacks"
    actions   = ["iam:PassRole"]
    resources = local.role_arns

    condition {
      test     = "StringEquals"
      variable = "iam:PassedToService"
      values = [
        "cloudformation.amazonaws.com",
        "ec2.amazonaws.com",
        "eks.amazonaws.com",
        "pods.eks.amazonaws.com",
        "scheduler.amazonaws.com",
        "vpc-flow-logs.amazonaws.com",
      ]
    }
  }
}

data "aws_iam_policy_document" "apply_access" {
  statement {
    sid       = "ClusterIssuers"
    actions   = ["iam:*OpenIDConnectProvider"]
    resources = ["${local.iam_arn}:oidc-provider/oidc.eks.${var.region}.amazonaws.com/id/*"]
  }

  statement {
    sid       = "ServiceLinkedRoles"
    actions   = ["iam:CreateServiceLinkedRole"]
    resources = ["${local.iam_arn}:role/aws-service-role/*"]

    condition {
      test     = "StringEquals"
      variable = "iam:AWSServiceName"
      values = [
        "autoscaling.amazonaws.com",
        "eks-nodegroup.amazonaws.com",
        "eks.amazonaws.com",
        "fsx.amazonaws.com",
        "s3.data-source.lustre.fsx.amazonaws.com",
        "sagemaker.amazonaws.com",
      ]
    }
  }

  # FSx makes a role for each file system that reads a bucket, with the rights of whoever links the bucket (unverified, 2026-11-30:
  # public policies for such links hold these two).
  statement {
    sid       = "RolesOfWeightsCaches"
    actions   = ["iam:AttachRolePolicy", "iam:PutRolePolicy"]
    resources = ["${local.iam_arn}:role/aws-service-role/s3.data-source.lustre.fsx.amazonaws.com/*"]
  }

  statement {
    sid       = "NewKeys"
    actions   = ["kms:CreateKey"]
    resources = ["*"]

    condition {
      test     = "StringEquals"
      variable = "aws:RequestedRegion"
      values   = [var.region]
    }
  }

  # A grant is for the key of an existing platform too, which may have other tags; EKS may take none that is bound to AWS services
  # (unverified, 2026-11-30). Bootstrap's own keys are denied by the boundary.
  statement {
    sid = "KeysOfTheStacks"
    actions = [
      "kms:CreateAlias",
      "kms:CreateGrant",
      "kms:Decrypt",
      "kms:DeleteAlias",
      "kms:EnableKeyRotation",
      "kms:GenerateDataKey*",
      "kms:UpdateAlias",
      "kms:UpdateKeyDescription",
    ]
    resources = [local.keys_arn, "arn:${local.partition}:kms:${var.region}:${var.account_id}:alias/*-data"]
  }

  # A key that says by its tag that it is another stack's is left alone. IfExists, because making a key asks for its policy and its tags
  # before it has any: so a key without the tag is not spared.
  statement {
    sid = "KeysOfPlatforms"
    actions = [
      "kms:PutKeyPolicy",
      "kms:ScheduleKeyDeletion",
      "kms:TagResource",
      "kms:UntagResource",
    ]
    resources = [local.keys_arn]

    condition {
      test     = "StringEqualsIfExists"
      variable = "aws:ResourceTag/stack"
      values   = ["platform"]
    }
  }
}

resource "aws_iam_role" "apply" {
  for_each = local.ci

  name                 = local.apply_role_name
  description          = "CI: applies what was approved"
  assume_role_policy   = data.aws_iam_policy_document.ci_trust["apply"].json
  permissions_boundary = aws_iam_policy.apply_boundary[each.key].arn

  # A HyperPod cluster is waited for up to 12 hours.
  max_session_duration = 43200
}

# Managed, because a role's own policies may have 10,240 characters together.
resource "aws_iam_policy" "apply" {
  for_each = var.ci == null ? {} : {
    access   = data.aws_iam_policy_document.apply_access.json
    cluster  = data.aws_iam_policy_document.apply_cluster.json
    network  = data.aws_iam_policy_document.apply_network.json
    passing  = data.aws_iam_policy_document.apply_passing.json
    roles    = data.aws_iam_policy_document.apply_roles.json
    state    = data.aws_iam_policy_document.apply_state.json
    watching = data.aws_iam_policy_document.apply_watching.json
  }

  name        = "${local.apply_role_name}-${each.key}"
  description = "CI: ${each.key} of the stacks"
  policy      = each.value
}

resource "aws_iam_role_policy_attachment" "apply" {
  for_each = aws_iam_policy.apply

  role       = aws_iam_role.apply["ci"].name
  policy_arn = aws_iam_policy.apply[each.key].arn
}

resource "aws_iam_role_policy_attachment" "apply_describe" {
  for_each = local.ci

  role       = aws_iam_role.apply[each.key].name
  policy_arn = aws_iam_policy.describe[each.key].arn
}
