locals {
  # Each node subnet leaves through the gateway of its own zone; a zone without one takes the first.
  nat_zones = var.egress == "nat" ? {
    for zone in keys(var.node_subnets) : zone => contains(keys(var.public_subnets), zone) ? zone : sort(keys(var.public_subnets))[0]
  } : {}
}

resource "aws_route_table" "node" {
  for_each = var.node_subnets

  vpc_id = aws_vpc.this.id

  tags = {
    Name = "${var.name}-node-${each.key}"
  }
}

resource "aws_route" "node_nat" {
  for_each = local.nat_zones

  route_table_id         = aws_route_table.node[each.key].id
  destination_cidr_block = "0.0.0.0/0"
  nat_gateway_id         = aws_nat_gateway.this[each.value].id
}

resource "aws_route_table_association" "node" {
  for_each = var.node_subnets

  route_table_id = aws_route_table.node[each.key].id
  subnet_id      = aws_subnet.node[each.key].id
}

# Local routes only: the control plane talks to nodes and webhooks inside the VPC and starts nothing towards the outside.
resource "aws_route_table" "control_plane" {
  vpc_id = aws_vpc.this.id

  tags = {
    Name = "${var.name}-control-plane"
  }
}

resource "aws_route_table_association" "control_plane" {
  for_each = var.control_plane_subnets

  route_table_id = aws_route_table.control_plane.id
  subnet_id      = aws_subnet.control_plane[each.key].id
}

resource "aws_route_table" "public" {
  count = var.egress == "nat" ? 1 : 0

  vpc_id = aws_vpc.this.id

  tags = {
    Name = "${var.name}-public"
  }
}

resource "aws_route" "public_internet" {
  count = var.egress == "nat" ? 1 : 0

  route_table_id         = aws_route_table.public[0].id
  destination_cidr_block = "0.0.0.0/0"
  gateway_id             = aws_internet_gateway.this[0].id
}

resource "aws_route_table_association" "public" {
  for_each = var.public_subnets

  route_table_id = aws_route_table.public[0].id
  subnet_id      = aws_subnet.public[each.key].id
}
