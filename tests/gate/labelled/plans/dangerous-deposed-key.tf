resource "aws_kms_key" "data" {
  enable_key_rotation = true
}
