# The AWS load balancer controller that the inference operator brings along. The controller's published policy is wider: here it changes
# only what it made for this cluster, in this VPC, and makes nothing public by WAF, Shield, Cognito or server certificates.
# https://github.com/kubernetes-sigs/aws-load-balancer-controller/blob/v2.13.0/docs/install/iam_policy.json
locals {
  elb_arn = "arn:${local.partition}:elasticloadbalancing:${var.region}:${var.account_id}"
  ec2_arn = "arn:${local.partition}:ec2:${var.region}:${var.account_id}"

  load_balancers = [
    "${local.elb_arn}:loadbalancer/app/*/*",
    "${local.elb_arn}:loadbalancer/net/*/*",
  ]

  listeners = [
    "${local.elb_arn}:listener/app/*/*/*",
    "${local.elb_arn}:listener/net/*/*/*",
  ]

  listener_rules = [
    "${local.elb_arn}:listener-rule/app/*/*/*/*",
    "${local.elb_arn}:listener-rule/net/*/*/*/*",
  ]

  target_groups = ["${local.elb_arn}:targetgroup/*/*"]

  # The controller puts this tag on all that it makes; the value is the name of its cluster.
  made_tag = "elbv2.k8s.aws/cluster"
}

data "aws_iam_policy_document" "load_balancer" {
  statement {
    sid = "Look"
    actions = [
      "acm:ListCertificates",
      "ec2:DescribeAccountAttributes",
      "ec2:DescribeAddresses",
      "ec2:DescribeAvailabilityZones",
      "ec2:DescribeInstances",
      "ec2:DescribeInternetGateways",
      "ec2:DescribeNetworkInterfaces",
      "ec2:DescribeRouteTables",
      "ec2:DescribeSecurityGroups",
      "ec2:DescribeSubnets",
      "ec2:DescribeTags",
      "ec2:DescribeVpcPeeringConnections",
      "ec2:DescribeVpcs",
      "elasticloadbalancing:DescribeCapacityReservation",
      "elasticloadbalancing:DescribeListenerAttributes",
      "elasticloadbalancing:DescribeListenerCertificates",
      "elasticloadbalancing:DescribeListeners",
      "elasticloadbalancing:DescribeLoadBalancerAttributes",
      "elasticloadbalancing:DescribeLoadBalancers",
      "elasticloadbalancing:DescribeRules",
      "elasticloadbalancing:DescribeSSLPolicies",
      "elasticloadbalancing:DescribeTags",
      "elasticloadbalancing:DescribeTargetGroupAttributes",
      "elasticloadbalancing:DescribeTargetGroups",
      "elasticloadbalancing:DescribeTargetHealth",
      "elasticloadbalancing:DescribeTrustStores",
      "shield:GetSubscriptionState",
    ]
    resources = ["*"] # these actions know no resources, and only look
  }

  # It looks for a certificate that fits the host names of an Ingress.
  statement {
    sid       = "LookAtCertificates"
    actions   = ["acm:DescribeCertificate"]
    resources = ["arn:${local.partition}:acm:${var.region}:${var.account_id}:certificate/*"]
  }

  # It asks before it decides that there is nothing to do.
  statement {
    sid = "LookAtFirewalls"
    actions = [
      "waf-regional:GetWebACLForResource",
      "wafv2:GetWebACLForResource",
    ]
    resources = [
      "${local.elb_arn}:loadbalancer/app/*/*",
      "arn:${local.partition}:wafv2:${var.region}:${var.account_id}:regional/webacl/*/*",
    ]
  }

  statement {
    sid       = "ServiceLinkedRole"
    actions   = ["iam:CreateServiceLinkedRole"]
    resources = ["arn:${local.partition}:iam::${var.account_id}:role/aws-service-role/elasticloadbalancing.amazonaws.com/*"]

    condition {
      test     = "StringEquals"
      variable = "iam:AWSServiceName"
      values   = ["elasticloadbalancing.amazonaws.com"]
    }
  }

  # Two statements: a new group has the tag of the request, the VPC that it is made in has none.
  statement {
    sid       = "MakeSecurityGroups"
    actions   = ["ec2:CreateSecurityGroup"]
    resources = ["${local.ec2_arn}:security-group/*"]

    condition {
      test     = "StringEquals"
      variable = "aws:RequestTag/${local.made_tag}"
      values   = [var.cluster_name]
    }
  }

  statement {
    sid       = "MakeSecurityGroupsInTheVpc"
    actions   = ["ec2:CreateSecurityGroup"]
    resources = ["${local.ec2_arn}:vpc/${var.vpc_id}"]
  }

  statement {
    sid       = "TagNewSecurityGroups"
    actions   = ["ec2:CreateTags"]
    resources = ["${local.ec2_arn}:security-group/*"]

    condition {
      test     = "StringEquals"
      variable = "ec2:CreateAction"
      values   = ["CreateSecurityGroup"]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:RequestTag/${local.made_tag}"
      values   = [var.cluster_name]
    }
  }

  # It opens its load balancers, and the nodes towards them: the groups of the nodes do not carry its tag.
  statement {
    sid = "OpenSecurityGroupsOfTheVpc"
    actions = [
      "ec2:AuthorizeSecurityGroupIngress",
      "ec2:RevokeSecurityGroupIngress",
    ]
    resources = ["${local.ec2_arn}:security-group/*"]

    condition {
      test     = "ArnEquals"
      variable = "ec2:Vpc"
      values   = ["${local.ec2_arn}:vpc/${var.vpc_id}"]
    }
  }

  statement {
    sid = "OwnSecurityGroups"
    actions = [
      "ec2:CreateTags",
      "ec2:DeleteSecurityGroup",
      "ec2:DeleteTags",
    ]
    resources = ["${local.ec2_arn}:security-group/*"]

    condition {
      test     = "StringEquals"
      variable = "aws:ResourceTag/${local.made_tag}"
      values   = [var.cluster_name]
    }
  }

  statement {
    sid = "Make"
    actions = [
      "elasticloadbalancing:AddTags",
      "elasticloadbalancing:CreateListener",
      "elasticloadbalancing:CreateLoadBalancer",
      "elasticloadbalancing:CreateRule",
      "elasticloadbalancing:CreateTargetGroup",
    ]
    resources = concat(local.load_balancers, local.listeners, local.listener_rules, local.target_groups)

    condition {
      test     = "StringEquals"
      variable = "aws:RequestTag/${local.made_tag}"
      values   = [var.cluster_name]
    }
  }

  statement {
    sid = "Own"
    actions = [
      "elasticloadbalancing:AddListenerCertificates",
      "elasticloadbalancing:AddTags",
      "elasticloadbalancing:CreateListener",
      "elasticloadbalancing:CreateRule",
      "elasticloadbalancing:DeleteListener",
      "elasticloadbalancing:DeleteLoadBalancer",
      "elasticloadbalancing:DeleteRule",
      "elasticloadbalancing:DeleteTargetGroup",
      "elasticloadbalancing:DeregisterTargets",
      "elasticloadbalancing:ModifyListener",
      "elasticloadbalancing:ModifyListenerAttributes",
      "elasticloadbalancing:ModifyLoadBalancerAttributes",
      "elasticloadbalancing:ModifyRule",
      "elasticloadbalancing:ModifyTargetGroup",
      "elasticloadbalancing:ModifyTargetGroupAttributes",
      "elasticloadbalancing:RegisterTargets",
      "elasticloadbalancing:RemoveListenerCertificates",
      "elasticloadbalancing:RemoveTags",
      "elasticloadbalancing:SetIpAddressType",
      "elasticloadbalancing:SetSecurityGroups",
      "elasticloadbalancing:SetSubnets",
    ]
    resources = concat(local.load_balancers, local.listeners, local.listener_rules, local.target_groups)

    condition {
      test     = "StringEquals"
      variable = "aws:ResourceTag/${local.made_tag}"
      values   = [var.cluster_name]
    }
  }
}

module "load_balancer_role" {
  source = "../../modules/irsa-role"

  name              = "${var.cluster_name}-load-balancer"
  oidc_provider_arn = var.oidc_provider_arn
  namespace         = local.operator_namespace
  service_account   = "aws-load-balancer-controller"

  policy_json = {
    load-balancers = data.aws_iam_policy_document.load_balancer.json
  }
}
