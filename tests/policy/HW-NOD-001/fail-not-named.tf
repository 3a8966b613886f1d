resource "aws_launch_template" "gpu" {
  name          = "gpu"
  instance_type = "p5.48xlarge"
  metadata_options {
    http_tokens = "required"
  }
}
