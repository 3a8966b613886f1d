resource "aws_security_group_rule" "nodes" {
  security_group_id = "sg-0a"
  type              = "ingress"
  protocol          = "-1"
  from_port         = 0
  to_port           = 0
  cidr_blocks       = ["0.0.0.0/0"]
  description       = "debugging"
}
