resource "aws_vpc_security_group_ingress_rule" "vpc" {
  security_group_id = "sg-0a"
  cidr_ipv4         = "10.40.0.0/16"
  ip_protocol       = "tcp"
  from_port         = 8000
  to_port           = 8000
  description       = "API"
}
