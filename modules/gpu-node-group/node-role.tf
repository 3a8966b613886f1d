data "aws_partition" "current" {}

data "aws_iam_policy_document" "node_trust" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["ec2.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "node" {
  name               = "${var.name}-node"
  description        = "GPU nodes of ${var.cluster_name}/${var.node_group_name}"
  assume_role_policy = data.aws_iam_policy_document.node_trust.json
}

# No CNI policy: the VPC CNI has a pod identity of its own.
resource "aws_iam_role_policy_attachment" "node" {
  for_each = toset([
    "AmazonEC2ContainerRegistryPullOnly",
    "AmazonEKSWorkerNodePolicy",
    "AmazonSSMManagedInstanceCore",
  ])

  role       = aws_iam_role.node.name
  policy_arn = "arn:${data.aws_partition.current.partition}:iam::aws:policy/${each.key}"
}
