resource "aws_kms_key" "data" {
  enable_key_rotation = true
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Principal = "*", Action = "kms:Decrypt", Resource = "*" }]
  })
}
