resource "aws_autoscaling_group" "gpu" {
  count              = 1
  name               = "gpu-${count.index}"
  min_size           = 0
  max_size           = 2
  desired_capacity   = 2
  availability_zones = ["us-west-2a"]
  launch_template {
    id      = "lt-0123456789abcdef0"
    version = "1"
  }
}

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
