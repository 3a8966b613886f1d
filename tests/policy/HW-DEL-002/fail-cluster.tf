resource "terraform_data" "stays" {}
