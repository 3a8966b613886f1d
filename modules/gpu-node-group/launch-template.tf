resource "aws_launch_template" "this" {
  name          = var.name
  description   = "GPU nodes of ${var.cluster_name}/${var.node_group_name}"
  instance_type = var.instance_type

  # One RAID0 array of all local NVMe disks, which then holds container images and pod storage. EKS adds the part that joins the cluster.
  user_data = filebase64("${path.module}/node-config.mime")

  dynamic "instance_market_options" {
    for_each = local.scheduled ? [true] : []

    content {
      market_type = "capacity-block"
    }
  }

  # There is no placement group: a reservation has its place already, and naming another one ends in InsufficientInstanceCapacity.
  dynamic "capacity_reservation_specification" {
    for_each = var.capacity.reservation_id[*]

    content {
      capacity_reservation_target {
        capacity_reservation_id = capacity_reservation_specification.value
      }
    }
  }

  metadata_options {
    http_endpoint = "enabled"
    http_tokens   = "required"
    # One hop ends on the node: pods get their credentials from pod identity, never the node's.
    http_put_response_hop_limit = 1
  }

  block_device_mappings {
    device_name = "/dev/xvda"

    ebs {
      encrypted             = true
      kms_key_id            = var.kms_key_arn
      volume_type           = "gp3"
      volume_size           = 200
      delete_on_termination = true
    }
  }

  dynamic "network_interfaces" {
    for_each = var.interfaces

    content {
      network_card_index          = network_interfaces.value.card
      device_index                = network_interfaces.value.device
      interface_type              = network_interfaces.value.type
      associate_public_ip_address = false
      delete_on_termination       = true
      security_groups             = var.security_group_ids
    }
  }

  dynamic "tag_specifications" {
    for_each = toset(["instance", "network-interface", "volume"])

    content {
      resource_type = tag_specifications.value
      tags          = merge(var.tags, { Name = var.name })
    }
  }
}
