resource "aws_ami_launch_permission" "node" {
  image_id = "ami-0123456789abcdef0"
  group    = "all"
}
