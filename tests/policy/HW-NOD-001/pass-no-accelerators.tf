resource "aws_launch_template" "gpu" {
  name          = "gpu"
  instance_type = "m5.large"
  metadata_options {
    http_tokens = "required"
  }
}
