resource "aws_security_group" "this" {
  name   = "this"
  vpc_id = "vpc-0a"
  ingress {
    protocol    = "tcp"
    from_port   = 443
    to_port     = 443
    cidr_blocks = ["10.0.0.0/8"]
  }
}
resource "aws_security_group_rule" "efa" {
  type              = "ingress"
  security_group_id = "sg-0123456789abcdef0"
  protocol          = "-1"
  from_port         = 0
  to_port           = 0
  cidr_blocks       = ["10.40.0.0/16"]
}
resource "aws_vpc_security_group_ingress_rule" "metrics" {
  security_group_id = "sg-0123456789abcdef0"
  ip_protocol       = "tcp"
  from_port         = 8000
  to_port           = 8000
  cidr_ipv6         = "fd00::/8"
}
