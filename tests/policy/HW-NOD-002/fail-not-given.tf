resource "aws_launch_template" "node" {
  name = "node"
}
