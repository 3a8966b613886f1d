# alone
output "endpoint_key" {
  value = "example-Passw0rd-4711"
}

resource "terraform_data" "stays" {}
