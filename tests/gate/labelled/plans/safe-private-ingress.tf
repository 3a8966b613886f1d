resource "aws_security_group" "api" {
  name        = "api"
  description = "API"
  vpc_id      = "vpc-0a"
  ingress {
    description = "API"
    protocol    = "tcp"
    from_port   = 8000
    to_port     = 8000
    cidr_blocks = ["10.40.0.0/16"]
  }
  ingress {
    description     = "Metrics"
    protocol        = "tcp"
    from_port       = 9400
    to_port         = 9400
    security_groups = ["sg-0b"]
  }
}
