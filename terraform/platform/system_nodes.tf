locals {
  system_node_group_name = "${local.name}-system"
  managed_system_nodes   = var.system_nodes == null ? [] : [var.system_nodes]
}

data "aws_iam_policy_document" "system_node_trust" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["ec2.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "system_node" {
  count = length(local.managed_system_nodes)

  name               = "${local.name}-system-node"
  description        = "System nodes of EKS cluster ${local.name}"
  assume_role_policy = data.aws_iam_policy_document.system_node_trust.json
}

# The CNI policy is not among them: vpc-cni has a role of its own, so pods cannot borrow it from the node.
resource "aws_iam_role_policy_attachment" "system_node" {
  for_each = toset(length(local.managed_system_nodes) == 0 ? [] : [
    "AmazonEC2ContainerRegistryPullOnly",
    "AmazonEKSWorkerNodePolicy",
    "AmazonSSMManagedInstanceCore",
  ])

  role       = aws_iam_role.system_node[0].name
  policy_arn = "arn:${local.partition}:iam::aws:policy/${each.key}"
}

# No security group is named, so that EKS attaches the cluster's own.
resource "aws_launch_template" "system" {
  count = length(local.managed_system_nodes)

  name                   = local.system_node_group_name
  description            = "System nodes of EKS cluster ${local.name}"
  update_default_version = true

  # One hop: the node reaches its credentials, a pod in its own network does not.
  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }

  block_device_mappings {
    device_name = "/dev/xvda"

    ebs {
      volume_type           = "gp3"
      volume_size           = 100
      encrypted             = true
      kms_key_id            = aws_kms_key.data.arn
      delete_on_termination = true
    }
  }

  # Default tags do not reach what a template launches.
  dynamic "tag_specifications" {
    for_each = ["instance", "network-interface", "volume"]

    content {
      resource_type = tag_specifications.value
      tags          = merge(local.tags, { Name = local.system_node_group_name })
    }
  }
}

resource "aws_eks_node_group" "system" {
  count = length(local.managed_system_nodes)

  cluster_name    = module.control_plane.name
  node_group_name = local.system_node_group_name
  node_role_arn   = aws_iam_role.system_node[0].arn
  version         = var.cluster.kubernetes_version
  ami_type        = "AL2023_x86_64_STANDARD"
  instance_types  = [local.managed_system_nodes[count.index].instance_type]
  subnet_ids      = values(module.network.node_subnet_ids)

  launch_template {
    id      = aws_launch_template.system[0].id
    version = aws_launch_template.system[0].latest_version
  }

  scaling_config {
    desired_size = local.managed_system_nodes[count.index].count
    min_size     = local.managed_system_nodes[count.index].count
    max_size     = local.managed_system_nodes[count.index].count
  }

  update_config {
    max_unavailable = 1
  }

  node_repair_config {
    enabled = true
  }

  # A node that starts before one of these never becomes ready.
  depends_on = [
    aws_iam_role_policy_attachment.system_node,
    module.addons_before_nodes,
    module.endpoints,
  ]
}
