resource "aws_launch_template" "block" {
  name          = "block"
  instance_type = "p6-b300.48xlarge"
  instance_market_options {
    market_type = "capacity-block"
  }
  capacity_reservation_specification {
    capacity_reservation_target {
      capacity_reservation_id = "cr-0123456789abcdef0"
    }
  }
  placement {
    availability_zone = "us-west-2a"
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
