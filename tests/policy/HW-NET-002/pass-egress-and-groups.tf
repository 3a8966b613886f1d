resource "aws_security_group_rule" "out" {
  type              = "egress"
  security_group_id = "sg-0123456789abcdef0"
  protocol          = "-1"
  from_port         = 0
  to_port           = 0
  cidr_blocks       = ["0.0.0.0/0"]
}
resource "aws_vpc_security_group_ingress_rule" "peer" {
  security_group_id            = "sg-0123456789abcdef0"
  referenced_security_group_id = "sg-0fedcba9876543210"
  ip_protocol                  = "-1"
}
