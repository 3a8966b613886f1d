resource "aws_security_group" "this" {
  name   = "this"
  vpc_id = "vpc-0a"
}
resource "aws_vpc_security_group_ingress_rule" "low" {
  security_group_id = aws_security_group.this.id
  ip_protocol       = "tcp"
  from_port         = 8000
  to_port           = 8000
  cidr_ipv4         = "17.0.0.0/8"
}
resource "aws_security_group_rule" "high" {
  type              = "ingress"
  security_group_id = aws_security_group.this.id
  protocol          = "-1"
  from_port         = 0
  to_port           = 0
  cidr_blocks       = ["18.0.0.0/8"]
}
