resource "aws_ec2_capacity_reservation" "gpu" {
  instance_type     = "p5.48xlarge"
  instance_platform = "Linux/UNIX"
  availability_zone = "us-west-2a"
  instance_count    = 1
}
