resource "aws_vpc_security_group_ingress_rule" "api" {
  security_group_id = "sg-0123456789abcdef0"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
  cidr_ipv4         = "64.0.0.0/2"
}
resource "aws_vpc_security_group_ingress_rule" "six" {
  security_group_id = "sg-0123456789abcdef0"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
  cidr_ipv6         = "2400::/11"
}
