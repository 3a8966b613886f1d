# EFA needs the pair: all protocols from the group and to the group. A missing egress rule shows only as a hang of NCCL.
resource "aws_vpc_security_group_ingress_rule" "self" {
  security_group_id            = aws_security_group.this.id
  description                  = "EFA from the group itself"
  referenced_security_group_id = aws_security_group.this.id
  ip_protocol                  = "-1"

  tags = {
    Name = "${var.name}-from-self"
  }
}

resource "aws_vpc_security_group_egress_rule" "self" {
  security_group_id            = aws_security_group.this.id
  description                  = "EFA to the group itself"
  referenced_security_group_id = aws_security_group.this.id
  ip_protocol                  = "-1"

  tags = {
    Name = "${var.name}-to-self"
  }
}
