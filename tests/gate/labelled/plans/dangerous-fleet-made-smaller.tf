resource "aws_launch_template" "gpu" {
  name          = "gpu"
  instance_type = "p5.48xlarge"
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

resource "aws_ec2_fleet" "gpu" {
  type = "maintain"
  launch_template_config {
    launch_template_specification {
      launch_template_id = "lt-0123456789abcdef0"
      version            = "1"
    }
  }
  target_capacity_specification {
    default_target_capacity_type = "on-demand"
    total_target_capacity        = 1
  }
}
