# alone
output "cluster_name" {
  value = "hawser-prod"
}
