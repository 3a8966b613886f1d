resource "aws_internet_gateway" "this" {
  count = var.egress == "nat" ? 1 : 0

  vpc_id = aws_vpc.this.id

  tags = {
    Name = var.name
  }
}

resource "aws_eip" "nat" {
  for_each = var.public_subnets

  domain = "vpc"

  tags = {
    Name = "${var.name}-nat-${each.key}"
  }

  # The address is of no use, and cannot be released, without the gateway.
  depends_on = [aws_internet_gateway.this]
}

resource "aws_nat_gateway" "this" {
  for_each = var.public_subnets

  allocation_id = aws_eip.nat[each.key].id
  subnet_id     = aws_subnet.public[each.key].id

  tags = {
    Name = "${var.name}-${each.key}"
  }

  depends_on = [aws_route_table_association.public]
}
