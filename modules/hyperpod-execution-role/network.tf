# HyperPod nodes are no instances of this account. They join its VPC through network interfaces, which HyperPod and the VPC CNI
# make and fill with this role.
data "aws_iam_policy_document" "network" {
  statement {
    sid = "ReadNetwork"
    actions = [
      "ec2:DescribeDhcpOptions",
      "ec2:DescribeInstanceTypes",
      "ec2:DescribeInstances",
      "ec2:DescribeNetworkInterfaces",
      "ec2:DescribeSecurityGroups",
      "ec2:DescribeSubnets",
      "ec2:DescribeTags",
      "ec2:DescribeVpcs",
    ]
    resources = ["*"] # these actions know no resources
  }

  statement {
    sid = "ManageInterfacesInTheNodeSubnets"
    actions = [
      "ec2:AssignPrivateIpAddresses",
      "ec2:AttachNetworkInterface",
      "ec2:CreateNetworkInterface",
      "ec2:CreateNetworkInterfacePermission",
      "ec2:DeleteNetworkInterface",
      "ec2:DeleteNetworkInterfacePermission",
      "ec2:DetachNetworkInterface",
      "ec2:ModifyNetworkInterfaceAttribute",
      "ec2:UnassignPrivateIpAddresses",
    ]
    resources = concat(
      [for kind in ["instance/*", "network-interface/*"] : "arn:${local.partition}:ec2:${var.region}:${var.account_id}:${kind}"],
      [for id in sort(var.subnet_ids) : "arn:${local.partition}:ec2:${var.region}:${var.account_id}:subnet/${id}"],
      [for id in sort(var.security_group_ids) : "arn:${local.partition}:ec2:${var.region}:${var.account_id}:security-group/${id}"],
    )
  }

  statement {
    sid       = "TagInterfaces"
    actions   = ["ec2:CreateTags"]
    resources = ["arn:${local.partition}:ec2:${var.region}:${var.account_id}:network-interface/*"]
  }
}
