output "vpc_id" {
  description = "Id of the VPC."
  value       = aws_vpc.this.id
}

output "node_subnet_ids" {
  description = "Zone id => id of the node subnet; waits until the subnets have their way out."
  value       = { for zone, subnet in aws_subnet.node : zone => subnet.id }
  depends_on = [
    aws_route.node_nat,
    aws_route.public_internet,
    aws_route_table_association.node,
  ]
}

output "control_plane_subnet_ids" {
  description = "Zone id => id of the control-plane subnet."
  value       = { for zone, subnet in aws_subnet.control_plane : zone => subnet.id }
  depends_on  = [aws_route_table_association.control_plane]
}

output "private_route_table_ids" {
  description = "Ids of the route tables of node and control-plane subnets: those that gateway endpoints belong to."
  value       = concat([for table in aws_route_table.node : table.id], [aws_route_table.control_plane.id])
}

output "nat_public_ips" {
  description = "Zone id => public address that the outside sees. Empty when egress is endpoints."
  value       = { for zone, eip in aws_eip.nat : zone => eip.public_ip }
}
