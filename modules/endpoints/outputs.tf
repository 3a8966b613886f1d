output "s3_prefix_list_id" {
  description = "Prefix list of S3 in the region, for security group rules."
  value       = aws_vpc_endpoint.s3.prefix_list_id
}

output "interface_endpoint_ids" {
  description = "Service => id of its interface endpoint."
  value       = { for service, endpoint in aws_vpc_endpoint.interface : service => endpoint.id }
}
