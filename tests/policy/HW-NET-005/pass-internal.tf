resource "aws_lb" "api" {
  name                       = "api"
  load_balancer_type         = "network"
  subnets                    = ["subnet-0a", "subnet-0b"]
  internal                   = true
  enable_deletion_protection = true
}
