# The role with which CloudFormation makes and changes the HyperPod cluster. It is here, and not beside the cluster, because a
# CloudFormation stack whose role is gone can be neither changed nor deleted.
locals {
  cloudformation_role_name    = "${local.name}-cloudformation"
  cloudformation_role_arn     = "arn:${local.partition}:iam::${var.account_id}:role/${local.cloudformation_role_name}"
  hyperpod_execution_role_arn = "arn:${local.partition}:iam::${var.account_id}:role/${local.name}-hyperpod-execution"
  access_entries_arn          = "arn:${local.partition}:eks:${var.region}:${var.account_id}:access-entry/${local.name}/*"
  sagemaker_arn               = "arn:${local.partition}:sagemaker:${var.region}:${var.account_id}"
}

data "aws_iam_policy_document" "cloudformation_trust" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["cloudformation.amazonaws.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = [var.account_id]
    }
  }
}

# What the create, read, update and delete handlers of AWS::SageMaker::Cluster call, by the published schema of that type.
# Without the calls for own machine images, which we do not use.
data "aws_iam_policy_document" "cloudformation" {
  # The last part of a cluster's ARN is an id that the service invents.
  statement {
    sid = "Clusters"
    actions = [
      "sagemaker:AddTags",
      "sagemaker:BatchAddClusterNodes",
      "sagemaker:BatchDeleteClusterNodes",
      "sagemaker:CreateCluster",
      "sagemaker:DeleteCluster",
      "sagemaker:DeleteTags",
      "sagemaker:DescribeCluster",
      "sagemaker:DescribeClusterNode",
      "sagemaker:ListClusterNodes",
      "sagemaker:ListTags",
      "sagemaker:UpdateCluster",
      "sagemaker:UpdateClusterSoftware",
    ]
    resources = ["${local.sagemaker_arn}:cluster/*"]
  }

  # A group on a training plan is checked against the plan and its capacity too.
  statement {
    sid = "TrainingPlans"
    actions = [
      "sagemaker:CreateCluster",
      "sagemaker:DescribeTrainingPlan",
      "sagemaker:UpdateCluster",
    ]
    resources = [
      "${local.sagemaker_arn}:reserved-capacity/*",
      "${local.sagemaker_arn}:training-plan/*",
    ]
  }

  statement {
    sid       = "ListClusters"
    actions   = ["sagemaker:ListClusters"]
    resources = ["*"]
  }

  statement {
    sid       = "PassExecutionRole"
    actions   = ["iam:PassRole"]
    resources = [local.hyperpod_execution_role_arn]

    condition {
      test     = "StringEquals"
      variable = "iam:PassedToService"
      values   = ["sagemaker.amazonaws.com"]
    }
  }

  statement {
    sid       = "ServiceLinkedRole"
    actions   = ["iam:CreateServiceLinkedRole"]
    resources = ["arn:${local.partition}:iam::${var.account_id}:role/aws-service-role/sagemaker.amazonaws.com/*"]

    condition {
      test     = "StringEquals"
      variable = "iam:AWSServiceName"
      values   = ["sagemaker.amazonaws.com"]
    }
  }

  # The service lets its nodes and its controllers into the Kubernetes cluster by access entries of its own.
  statement {
    sid = "ClusterOfTheNodes"
    actions = [
      "eks:CreateAccessEntry",
      "eks:DescribeCluster",
    ]
    resources = [local.cluster_arn]
  }

  statement {
    sid = "AccessEntries"
    actions = [
      "eks:DeleteAccessEntry",
      "eks:DescribeAccessEntry",
    ]
    resources = [local.access_entries_arn]
  }

  # Only the access policies made for HyperPod: this role can make nobody an administrator of the cluster.
  statement {
    sid       = "AccessPoliciesOfHyperPod"
    actions   = ["eks:AssociateAccessPolicy"]
    resources = [local.access_entries_arn]

    condition {
      test     = "ArnLike"
      variable = "eks:policyArn"
      values   = ["arn:${local.partition}:eks::aws:cluster-access-policy/AmazonSagemakerHyperpod*"]
    }
  }

  # Key ARNs hold an invented id, so the key is named by its alias.
  statement {
    sid       = "VolumeKeyDescribe"
    actions   = ["kms:DescribeKey"]
    resources = ["arn:${local.partition}:kms:${var.region}:${var.account_id}:key/*"]

    condition {
      test     = "ForAnyValue:StringEquals"
      variable = "kms:ResourceAliases"
      values   = [local.data_key_alias]
    }
  }

  statement {
    sid       = "VolumeKeyGrant"
    actions   = ["kms:CreateGrant"]
    resources = ["arn:${local.partition}:kms:${var.region}:${var.account_id}:key/*"]

    condition {
      test     = "ForAnyValue:StringEquals"
      variable = "kms:ResourceAliases"
      values   = [local.data_key_alias]
    }

    condition {
      test     = "StringEquals"
      variable = "kms:ViaService"
      values   = ["sagemaker.${var.region}.amazonaws.com"]
    }
  }

  # Read-only; EC2 offers no narrower resource for these.
  statement {
    sid = "LookAtTheNetwork"
    actions = [
      "ec2:DescribeDhcpOptions",
      "ec2:DescribeNetworkInterfaces",
      "ec2:DescribeSecurityGroups",
      "ec2:DescribeSubnets",
      "ec2:DescribeVpcs",
    ]
    resources = ["*"]
  }
}

resource "aws_iam_role" "cloudformation" {
  name               = local.cloudformation_role_name
  description        = "CloudFormation for the HyperPod cluster on ${local.name}"
  assume_role_policy = data.aws_iam_policy_document.cloudformation_trust.json
}

resource "aws_iam_role_policy" "cloudformation" {
  name   = "hyperpod-cluster"
  role   = aws_iam_role.cloudformation.name
  policy = data.aws_iam_policy_document.cloudformation.json
}
