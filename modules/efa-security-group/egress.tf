# DNS, the clock and instance metadata are link-local or the VPC's own resolver: no rule of a security group applies to them.
resource "aws_vpc_security_group_egress_rule" "https_anywhere" {
  count = var.egress == "nat" ? 1 : 0

  security_group_id = aws_security_group.this.id
  description       = "Images and APIs through NAT"
  cidr_ipv4         = "0.0.0.0/0"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443

  tags = {
    Name = "${var.name}-https"
  }
}

resource "aws_vpc_security_group_egress_rule" "https_vpc" {
  count = var.egress == "endpoints" ? 1 : 0

  security_group_id = aws_security_group.this.id
  description       = "Interface endpoints and the Kubernetes API"
  cidr_ipv4         = var.vpc_cidr
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443

  tags = {
    Name = "${var.name}-https-vpc"
  }
}

resource "aws_vpc_security_group_egress_rule" "https_s3" {
  count = var.egress == "endpoints" ? 1 : 0

  security_group_id = aws_security_group.this.id
  description       = "Image layers and weights through the S3 gateway endpoint"
  prefix_list_id    = var.s3_prefix_list_id
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443

  tags = {
    Name = "${var.name}-https-s3"
  }
}
