resource "aws_vpc_peering_connection" "this" {
  vpc_id        = "vpc-0123456789abcdef0"
  peer_vpc_id   = "vpc-0fedcba9876543210"
  peer_owner_id = "444455556666"
}
resource "aws_ec2_transit_gateway_vpc_attachment" "this" {
  vpc_id             = "vpc-0123456789abcdef0"
  subnet_ids         = ["subnet-0123456789abcdef0"]
  transit_gateway_id = "tgw-0123456789abcdef0"
}
resource "aws_ami_launch_permission" "this" {
  image_id   = "ami-0123456789abcdef0"
  account_id = "444455556666"
}
resource "aws_ec2_image_block_public_access" "this" {
  state = "unblocked"
}
resource "aws_emr_block_public_access_configuration" "this" {
  block_public_security_group_rules = false
}
