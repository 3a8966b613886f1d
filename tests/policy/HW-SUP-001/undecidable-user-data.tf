resource "terraform_data" "later" {}
resource "aws_launch_template" "node" {
  name      = "node"
  user_data = base64encode("docker run ${terraform_data.later.id}")
  metadata_options {
    http_tokens = "required"
  }
}
