resource "aws_lb" "api" {
  name                       = "api"
  internal                   = false
  load_balancer_type         = "network"
  subnets                    = ["subnet-0a", "subnet-0b"]
  enable_deletion_protection = true
}
