data "aws_partition" "current" {}

data "aws_iam_policy_document" "trust" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["eks.amazonaws.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = [var.account_id]
    }

    condition {
      test     = "ArnEquals"
      variable = "aws:SourceArn"
      values   = [local.arn]
    }
  }
}

locals {
  # Built from names, so that policies that name the cluster are in the first plan.
  arn = "arn:${data.aws_partition.current.partition}:eks:${var.region}:${var.account_id}:cluster/${var.name}"
}

resource "aws_iam_role" "cluster" {
  name               = "${var.name}-control-plane"
  description        = "Control plane of EKS cluster ${var.name}"
  assume_role_policy = data.aws_iam_policy_document.trust.json
}

resource "aws_iam_role_policy_attachment" "cluster" {
  role       = aws_iam_role.cluster.name
  policy_arn = "arn:${data.aws_partition.current.partition}:iam::aws:policy/AmazonEKSClusterPolicy"
}
