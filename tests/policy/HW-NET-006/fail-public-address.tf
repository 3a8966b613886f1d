resource "aws_db_instance" "this" {
  identifier                  = "usage"
  instance_class              = "db.t3.micro"
  allocated_storage           = 20
  engine                      = "postgres"
  username                    = "usage"
  manage_master_user_password = true
  skip_final_snapshot         = true
  publicly_accessible         = true
}
resource "aws_subnet" "this" {
  vpc_id                  = "vpc-0123456789abcdef0"
  cidr_block              = "10.0.0.0/24"
  map_public_ip_on_launch = true
}
