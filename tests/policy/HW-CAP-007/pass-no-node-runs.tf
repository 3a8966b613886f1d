# The block has not begun: no node runs.
resource "aws_launch_template" "gpu" {
  name          = "k3-a"
  instance_type = "p5en.48xlarge"
  metadata_options {
    http_tokens = "required"
  }
  block_device_mappings {
    device_name = "/dev/xvda"
    ebs {
      encrypted = true
    }
  }
  tag_specifications {
    resource_type = "instance"
    tags          = { team = "research" }
  }
}
resource "aws_eks_node_group" "gpu" {
  cluster_name    = "hawser-prod"
  node_group_name = "k3-a"
  node_role_arn   = "arn:aws:iam::111122223333:role/node"
  subnet_ids      = ["subnet-0a"]
  launch_template {
    id      = aws_launch_template.gpu.id
    version = aws_launch_template.gpu.latest_version
  }
  scaling_config {
    desired_size = 0
    max_size     = 2
    min_size     = 0
  }
}
