resource "aws_vpc_security_group_ingress_rule" "low" {
  security_group_id = "sg-0123456789abcdef0"
  ip_protocol       = "tcp"
  from_port         = 8000
  to_port           = 8000
  cidr_ipv4         = "17.0.0.0/8"
}
resource "aws_vpc_security_group_ingress_rule" "high" {
  security_group_id = "sg-0fedcba9876543210"
  ip_protocol       = "tcp"
  from_port         = 8000
  to_port           = 8000
  cidr_ipv4         = "18.0.0.0/8"
}
