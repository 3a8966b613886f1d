resource "aws_launch_template" "block" {
  name = "block"
  instance_market_options {
    market_type = "capacity-block"
  }
  capacity_reservation_specification {
    capacity_reservation_target {
      capacity_reservation_id = "cr-0123456789abcdef0"
    }
  }
  metadata_options {
    http_tokens = "required"
  }
  block_device_mappings {
    device_name = "/dev/xvda"
    ebs {
      encrypted = true
    }
  }
}

resource "aws_eks_node_group" "block" {
  cluster_name    = "hawser-prod"
  node_group_name = "k3-block"
  node_role_arn   = "arn:aws:iam::111122223333:role/node"
  subnet_ids      = ["subnet-0a"]
  capacity_type   = "CAPACITY_BLOCK"
  instance_types  = ["p6-b300.48xlarge"]
  launch_template {
    id      = aws_launch_template.block.id
    version = aws_launch_template.block.latest_version
  }
  scaling_config {
    desired_size = 0
    max_size     = 2
    min_size     = 0
  }
}
