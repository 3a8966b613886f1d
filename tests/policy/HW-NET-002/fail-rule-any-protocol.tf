resource "aws_security_group_rule" "all" {
  type              = "ingress"
  security_group_id = "sg-0123456789abcdef0"
  protocol          = "-1"
  from_port         = 0
  to_port           = 0
  cidr_blocks       = ["0.0.0.0/0"]
}
