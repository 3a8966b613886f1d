resource "aws_security_group" "this" {
  name   = "this"
  vpc_id = "vpc-0a"
  ingress {
    protocol    = "tcp"
    from_port   = 22
    to_port     = 22
    cidr_blocks = ["0.0.0.0/0"]
  }
}
