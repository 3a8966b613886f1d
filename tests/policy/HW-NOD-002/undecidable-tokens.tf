resource "terraform_data" "later" {}
resource "aws_launch_template" "node" {
  name = "node"
  metadata_options {
    http_tokens = terraform_data.later.id
  }
}
