resource "aws_launch_template" "node" {
  name = "node"
  metadata_options {
    http_tokens = "required"
  }
}
