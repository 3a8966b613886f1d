resource "terraform_data" "size" {
  input = 3
}
resource "aws_autoscaling_schedule" "morning" {
  scheduled_action_name  = "morning"
  autoscaling_group_name = "gpu"
  min_size               = 2
  max_size               = 4
  desired_capacity       = terraform_data.size.output
  recurrence             = "0 6 * * *"
}
