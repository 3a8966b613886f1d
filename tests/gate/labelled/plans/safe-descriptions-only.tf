resource "aws_vpc_security_group_ingress_rule" "api" {
  security_group_id = "sg-0a"
  cidr_ipv4         = "10.40.0.0/16"
  ip_protocol       = "tcp"
  from_port         = 8000
  to_port           = 8000
  description       = "API of Kimi K3, from inside the VPC"
}

resource "aws_iam_role" "serve" {
  name        = "serve"
  description = "Serves Kimi K3"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = ["sts:AssumeRole", "sts:TagSession"], Principal = { Service = "pods.eks.amazonaws.com" } }]
  })
}
