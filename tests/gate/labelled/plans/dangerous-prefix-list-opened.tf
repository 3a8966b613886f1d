# Security groups that name the list let in whoever is on it.
resource "aws_ec2_managed_prefix_list" "offices" {
  name           = "offices"
  address_family = "IPv4"
  max_entries    = 4
  entry {
    cidr = "0.0.0.0/0"
  }
}

resource "aws_vpc_security_group_ingress_rule" "api" {
  security_group_id = "sg-0a"
  prefix_list_id    = "pl-0123456789abcdef0"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
  description       = "API"
}
