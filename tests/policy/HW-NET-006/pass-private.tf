resource "aws_subnet" "this" {
  vpc_id     = "vpc-0123456789abcdef0"
  cidr_block = "10.0.0.0/24"
}
resource "aws_ec2_image_block_public_access" "this" {
  state = "block-new-sharing"
}
resource "aws_ami_launch_permission" "everybody_is_of_another_rule" {
  image_id         = "ami-0123456789abcdef0"
  organization_arn = "arn:aws:organizations::111122223333:organization/o-abcdefghij"
}
