resource "aws_ec2_capacity_block_reservation" "k3" {
  capacity_block_offering_id = "cbr-0123456789abcdef0"
  instance_platform          = "Linux/UNIX"
}
