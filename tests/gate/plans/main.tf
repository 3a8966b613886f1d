terraform {
  required_version = ">= 1.11"
}
variable "fail" {
  type    = bool
  default = false
}
variable "words" {
  type    = list(string)
  default = ["one", "two"]
}
resource "terraform_data" "first" {
  input = var.words
}
resource "terraform_data" "second" {
  input = terraform_data.first.output
  lifecycle {
    precondition {
      condition     = !var.fail
      error_message = "asked to fail"
    }
  }
}
output "words" {
  value = terraform_data.first.output
}
