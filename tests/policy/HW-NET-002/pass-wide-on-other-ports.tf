resource "aws_vpc_security_group_ingress_rule" "low" {
  security_group_id = "sg-0123456789abcdef0"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
  cidr_ipv4         = "17.0.0.0/8"
}
resource "aws_vpc_security_group_ingress_rule" "high" {
  security_group_id = "sg-0123456789abcdef0"
  ip_protocol       = "tcp"
  from_port         = 8443
  to_port           = 8443
  cidr_ipv4         = "18.0.0.0/8"
}
