resource "terraform_data" "later" {
  input = true
}
resource "aws_subnet" "this" {
  vpc_id                  = "vpc-0123456789abcdef0"
  cidr_block              = "10.0.0.0/24"
  map_public_ip_on_launch = terraform_data.later.output
}
