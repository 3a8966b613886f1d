variable "replicas" {
  type    = number
  default = 2
}

check "block_has_room" {
  assert {
    condition     = var.replicas * 8 <= 8
    error_message = "The Capacity Block has 8 GPUs; the replicas need more."
  }
}

resource "aws_kms_alias" "data" {
  name          = "alias/data"
  target_key_id = "1234abcd-12ab-34cd-56ef-1234567890ab"
}
