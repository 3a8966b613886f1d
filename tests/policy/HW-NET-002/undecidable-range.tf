resource "terraform_data" "later" {}
resource "aws_vpc_security_group_ingress_rule" "later" {
  security_group_id = "sg-0123456789abcdef0"
  ip_protocol       = "tcp"
  from_port         = 8000
  to_port           = 8000
  cidr_ipv4         = terraform_data.later.id
}
