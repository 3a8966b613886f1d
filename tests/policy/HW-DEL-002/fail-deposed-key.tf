resource "aws_kms_key" "data" {
  lifecycle {
    create_before_destroy = true
  }
}
