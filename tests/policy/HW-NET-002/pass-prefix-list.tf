resource "aws_ec2_managed_prefix_list" "offices" {
  name           = "offices"
  address_family = "IPv4"
  max_entries    = 4
  entry {
    cidr = "203.0.113.0/24"
  }
}
resource "aws_ec2_managed_prefix_list_entry" "vpn" {
  prefix_list_id = aws_ec2_managed_prefix_list.offices.id
  cidr           = "198.51.100.0/24"
}
