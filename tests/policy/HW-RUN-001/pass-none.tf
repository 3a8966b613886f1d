resource "terraform_data" "size" {
  input = 3
  lifecycle {
    postcondition {
      condition     = self.input > 1
      error_message = "Three is more than one."
    }
  }
}
