resource "aws_instance" "gpu" {
  count         = 1
  ami           = "ami-0123456789abcdef0"
  instance_type = "p5.48xlarge"
  subnet_id     = "subnet-0a"
  metadata_options {
    http_tokens = "required"
  }
}
