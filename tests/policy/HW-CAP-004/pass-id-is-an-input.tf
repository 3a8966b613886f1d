resource "aws_launch_template" "k3" {
  name          = "kimi"
  instance_type = "m5.large"
  capacity_reservation_specification {
    capacity_reservation_target {
      capacity_reservation_id = "cr-0123456789abcdef0"
    }
  }
  metadata_options {
    http_tokens = "required"
  }
}
