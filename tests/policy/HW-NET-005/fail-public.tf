resource "aws_lb" "api" {
  name                       = "api"
  load_balancer_type         = "network"
  subnets                    = ["subnet-0a", "subnet-0b"]
  internal                   = false
  enable_deletion_protection = true
}
resource "aws_elb" "api" {
  name    = "api"
  subnets = ["subnet-0a"]
  listener {
    instance_port     = 8000
    instance_protocol = "tcp"
    lb_port           = 8000
    lb_protocol       = "tcp"
  }
  internal = false
}
