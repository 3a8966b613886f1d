resource "aws_security_group" "this" {
  name        = var.name
  description = "EFA traffic between GPU nodes"
  vpc_id      = var.vpc_id

  tags = {
    Name = var.name
  }
}
