resource "aws_kms_alias" "data" {
  name          = "alias/data"
  target_key_id = "1234abcd-12ab-34cd-56ef-1234567890ab"
}
