resource "terraform_data" "build" {
  provisioner "local-exec" {
    command = "make image"
  }
}
