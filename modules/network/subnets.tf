locals {
  ranges = concat(values(var.node_subnets), values(var.control_plane_subnets), values(var.public_subnets))

  # Two ranges share addresses when they are the same network at the shorter of their two lengths. What is no range at all is refused
  # by the validation of its own variable.
  overlapping = flatten([
    for index, one in local.ranges : [
      for other in slice(local.ranges, index + 1, length(local.ranges)) : "${one} and ${other}" if try(
        cidrhost("${split("/", one)[0]}/${min(split("/", one)[1], split("/", other)[1])}", 0)
        == cidrhost("${split("/", other)[0]}/${min(split("/", one)[1], split("/", other)[1])}", 0),
        false
      )
    ]
  ])
}

resource "aws_subnet" "node" {
  for_each = var.node_subnets

  vpc_id               = aws_vpc.this.id
  availability_zone_id = each.key
  cidr_block           = each.value

  tags = {
    Name = "${var.name}-node-${each.key}"
    # Internal load balancers of the cluster go here: the control-plane subnets are too small for them.
    "kubernetes.io/role/internal-elb" = "1"
  }
}

resource "aws_subnet" "control_plane" {
  for_each = var.control_plane_subnets

  vpc_id               = aws_vpc.this.id
  availability_zone_id = each.key
  cidr_block           = each.value

  tags = {
    Name = "${var.name}-control-plane-${each.key}"
  }
}

# No kubernetes.io/role/elb tag: no controller may put a load balancer that faces the internet here.
resource "aws_subnet" "public" {
  for_each = var.public_subnets

  vpc_id               = aws_vpc.this.id
  availability_zone_id = each.key
  cidr_block           = each.value

  tags = {
    Name = "${var.name}-public-${each.key}"
  }
}
