resource "aws_launch_template" "this" {
  for_each      = { gpu = "p5.48xlarge", cpu = "m7i.large" }
  name          = each.key
  instance_type = each.value
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
resource "aws_autoscaling_group" "this" {
  for_each           = { gpu = "lt-0123456789abcdef0", cpu = "lt-0123456789abcdef1" }
  name               = each.key
  min_size           = 0
  max_size           = 4
  desired_capacity   = 2
  availability_zones = ["us-west-2a"]
  launch_template {
    id      = each.value
    version = "1"
  }
}
resource "aws_autoscaling_schedule" "morning" {
  scheduled_action_name  = "morning"
  autoscaling_group_name = "gpu"
  min_size               = 2
  max_size               = 4
  desired_capacity       = 4
  recurrence             = "0 6 * * *"
}
resource "aws_autoscaling_schedule" "cpu" {
  scheduled_action_name  = "night"
  autoscaling_group_name = "cpu"
  min_size               = 0
  max_size               = 0
  desired_capacity       = 0
  recurrence             = "0 20 * * *"
}
