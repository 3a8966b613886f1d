resource "aws_ec2_managed_prefix_list" "offices" {
  name           = "offices"
  address_family = "IPv6"
  max_entries    = 4
  entry {
    cidr = "2001:db8::/32"
  }
  entry {
    cidr = "::/0"
  }
}
resource "aws_ec2_managed_prefix_list_entry" "half" {
  for_each       = toset(["0.0.0.0/1", "128.0.0.0/1"])
  prefix_list_id = "pl-0123456789abcdef0"
  cidr           = each.value
}
