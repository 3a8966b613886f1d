# alone
output "endpoint_key" {
  value     = "example-Passw0rd-4711"
  sensitive = true
}

output "cluster_name" {
  value = "hawser-prod"
}
