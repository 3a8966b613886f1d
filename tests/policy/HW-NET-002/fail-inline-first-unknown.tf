resource "terraform_data" "later" {}
resource "aws_security_group" "this" {
  name   = "this"
  vpc_id = "vpc-0a"
  ingress {
    protocol    = "tcp"
    from_port   = 22
    to_port     = 22
    cidr_blocks = ["${terraform_data.later.id}/32"]
  }
  ingress {
    protocol    = "tcp"
    from_port   = 443
    to_port     = 443
    cidr_blocks = ["0.0.0.0/0"]
  }
}
