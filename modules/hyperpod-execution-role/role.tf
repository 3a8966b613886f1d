data "aws_partition" "current" {}

locals {
  partition = data.aws_partition.current.partition
}

data "aws_iam_policy_document" "trust" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["sagemaker.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "this" {
  name               = var.name
  description        = "Nodes of a HyperPod cluster"
  assume_role_policy = data.aws_iam_policy_document.trust.json
}

resource "aws_iam_role_policy_attachment" "managed" {
  role       = aws_iam_role.this.name
  policy_arn = "arn:${local.partition}:iam::aws:policy/AmazonSageMakerClusterInstanceRolePolicy"
}

resource "aws_iam_role_policy" "this" {
  for_each = {
    network = data.aws_iam_policy_document.network.json
    node    = data.aws_iam_policy_document.node.json
    volumes = data.aws_iam_policy_document.volumes.json
  }

  name   = each.key
  role   = aws_iam_role.this.name
  policy = each.value
}
