resource "terraform_data" "other" {}
