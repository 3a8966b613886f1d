resource "terraform_data" "size" {
  input = 3
}

check "size" {
  assert {
    condition     = terraform_data.size.input > 5
    error_message = "The pool is smaller than a replica."
  }
}
