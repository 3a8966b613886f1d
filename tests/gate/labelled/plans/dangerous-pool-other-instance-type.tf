resource "aws_launch_template" "gpu" {
  name                   = "gpu"
  instance_type          = "g6.48xlarge"
  update_default_version = true
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

resource "aws_autoscaling_group" "gpu" {
  name               = "gpu"
  min_size           = 0
  max_size           = 2
  desired_capacity   = 2
  availability_zones = ["us-west-2a"]
  launch_template {
    id      = aws_launch_template.gpu.id
    version = "$Latest"
  }
}
