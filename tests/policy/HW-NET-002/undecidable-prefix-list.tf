resource "aws_vpc_security_group_ingress_rule" "list" {
  security_group_id = "sg-0123456789abcdef0"
  prefix_list_id    = "pl-0123456789abcdef0"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
}
