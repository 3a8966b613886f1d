resource "aws_security_group" "this" {
  name        = var.name
  description = "Lustre servers of ${var.name}"
  vpc_id      = var.vpc_id

  tags = {
    Name = var.name
  }
}

# Servers and clients call each other on the same ports, so each side has a rule in both directions: FSx for Lustre user guide,
# file system access control with Amazon VPC, 2026-11-30.
locals {
  ports = {
    lnet  = { from = 988, to = 988 }
    lnet2 = { from = 1018, to = 1023 }
  }

  server_rules = merge([
    for port, range in local.ports : {
      "${port}-nodes"   = merge(range, { peer = var.node_security_group_id, what = "Lustre between servers and nodes" })
      "${port}-servers" = merge(range, { peer = null, what = "Lustre between servers" })
    }
  ]...)
}

resource "aws_vpc_security_group_ingress_rule" "lustre" {
  for_each = local.server_rules

  security_group_id            = aws_security_group.this.id
  description                  = each.value.what
  referenced_security_group_id = coalesce(each.value.peer, aws_security_group.this.id)
  ip_protocol                  = "tcp"
  from_port                    = each.value.from
  to_port                      = each.value.to

  tags = {
    Name = "${var.name}-${each.key}"
  }
}

resource "aws_vpc_security_group_egress_rule" "lustre" {
  for_each = local.server_rules

  security_group_id            = aws_security_group.this.id
  description                  = each.value.what
  referenced_security_group_id = coalesce(each.value.peer, aws_security_group.this.id)
  ip_protocol                  = "tcp"
  from_port                    = each.value.from
  to_port                      = each.value.to

  tags = {
    Name = "${var.name}-${each.key}"
  }
}

resource "aws_vpc_security_group_ingress_rule" "nodes" {
  for_each = local.ports

  security_group_id            = var.node_security_group_id
  description                  = "Lustre from ${var.name}"
  referenced_security_group_id = aws_security_group.this.id
  ip_protocol                  = "tcp"
  from_port                    = each.value.from
  to_port                      = each.value.to

  tags = {
    Name = "${var.name}-${each.key}"
  }
}

resource "aws_vpc_security_group_egress_rule" "nodes" {
  for_each = local.ports

  security_group_id            = var.node_security_group_id
  description                  = "Lustre to ${var.name}"
  referenced_security_group_id = aws_security_group.this.id
  ip_protocol                  = "tcp"
  from_port                    = each.value.from
  to_port                      = each.value.to

  tags = {
    Name = "${var.name}-${each.key}"
  }
}
