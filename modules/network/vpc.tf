resource "aws_vpc" "this" {
  cidr_block           = var.vpc_cidr
  enable_dns_support   = true
  enable_dns_hostnames = true

  tags = {
    Name = var.name
  }

  lifecycle {
    precondition {
      condition     = length(local.overlapping) == 0
      error_message = "No two subnets may share addresses: AWS refuses the second, after half of the network is built. These do: ${join(", ", local.overlapping)}."
    }
  }
}

# Taken over without rules, so that what is put into it by accident reaches nothing.
resource "aws_default_security_group" "this" {
  vpc_id = aws_vpc.this.id

  tags = {
    Name = "${var.name}-default-unused"
  }
}
