# alone
output "registry_password" {
  value = "correct-horse-battery-staple"
}
