resource "terraform_data" "internal" {
  input = true
}
resource "aws_lb" "api" {
  name               = "api"
  load_balancer_type = "network"
  subnets            = ["subnet-0a", "subnet-0b"]
  internal           = terraform_data.internal.output
}
