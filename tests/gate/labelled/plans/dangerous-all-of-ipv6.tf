resource "aws_security_group" "api" {
  name        = "api"
  description = "API"
  vpc_id      = "vpc-0a"
  ingress {
    description      = "API"
    protocol         = "tcp"
    from_port        = 443
    to_port          = 443
    cidr_blocks      = ["10.0.0.0/8"]
    ipv6_cidr_blocks = ["::/0"]
  }
}
