resource "terraform_data" "later" {}
resource "aws_kms_key" "this" {
  policy = jsonencode({
    Statement = [{ Effect = "Allow", Principal = { AWS = terraform_data.later.id }, Action = "kms:*", Resource = "*" }]
  })
}
