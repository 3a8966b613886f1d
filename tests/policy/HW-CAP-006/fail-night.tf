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
resource "aws_autoscaling_group" "gpu" {
  for_each           = toset(["a", "b"])
  name               = "gpu-${each.key}"
  min_size           = 0
  max_size           = 4
  desired_capacity   = 2
  availability_zones = ["us-west-2a"]
  launch_template {
    id      = aws_launch_template.gpu.id
    version = "1"
  }
}
resource "aws_autoscaling_schedule" "zero" {
  scheduled_action_name  = "night"
  autoscaling_group_name = aws_autoscaling_group.gpu["a"].name
  min_size               = 0
  max_size               = 4
  desired_capacity       = 0
  recurrence             = "0 20 * * *"
}
# A maximum below what runs takes the rest away too.
resource "aws_autoscaling_schedule" "most" {
  scheduled_action_name  = "night"
  autoscaling_group_name = "gpu-b"
  min_size               = -1
  max_size               = 1
  desired_capacity       = -1
  recurrence             = "0 20 * * *"
}
# What is not written is 0.
resource "aws_autoscaling_schedule" "silent" {
  scheduled_action_name  = "weekend"
  autoscaling_group_name = "gpu-b"
  max_size               = 4
  recurrence             = "0 20 * * 5"
}
# Nobody knows this group; 0 is never as many as it has.
resource "aws_autoscaling_schedule" "elsewhere" {
  scheduled_action_name  = "night"
  autoscaling_group_name = "elsewhere"
  min_size               = 0
  max_size               = 0
  desired_capacity       = 0
  recurrence             = "0 20 * * *"
}
