resource "aws_dynamodb_table" "queue" {
  name                        = "queue"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "id"
  deletion_protection_enabled = false
  attribute {
    name = "id"
    type = "S"
  }
}
