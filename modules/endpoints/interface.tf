resource "aws_vpc_endpoint" "interface" {
  for_each = var.interface_services

  vpc_id              = var.vpc_id
  service_name        = "com.amazonaws.${var.region}.${each.key}"
  vpc_endpoint_type   = "Interface"
  subnet_ids          = var.subnet_ids
  security_group_ids  = [aws_security_group.interface[0].id]
  private_dns_enabled = true

  tags = {
    Name = "${var.name}-${each.key}"
  }

  depends_on = [aws_vpc_security_group_ingress_rule.https]
}

resource "aws_security_group" "interface" {
  count = length(var.interface_services) > 0 ? 1 : 0

  name        = "${var.name}-endpoints"
  description = "Interface endpoints of ${var.name}"
  vpc_id      = var.vpc_id

  tags = {
    Name = "${var.name}-endpoints"
  }
}

resource "aws_vpc_security_group_ingress_rule" "https" {
  count = length(var.interface_services) > 0 ? 1 : 0

  security_group_id = aws_security_group.interface[0].id
  description       = "AWS APIs from inside the VPC"
  cidr_ipv4         = var.vpc_cidr
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443

  tags = {
    Name = "${var.name}-endpoints-https"
  }
}
