resource "aws_security_group" "this" {
  name   = "this"
  vpc_id = "vpc-0a"
  ingress {
    protocol         = "tcp"
    from_port        = 443
    to_port          = 443
    ipv6_cidr_blocks = ["::/0"]
  }
}
