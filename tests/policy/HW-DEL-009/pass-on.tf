resource "aws_s3_bucket" "weights" {
  bucket        = "weights"
  force_destroy = false
}
resource "aws_dynamodb_table" "queue" {
  name                        = "queue"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "id"
  deletion_protection_enabled = true
  attribute {
    name = "id"
    type = "S"
  }
}
resource "aws_cloudformation_stack" "stronger" {
  name          = "stronger"
  parameters    = {}
  template_body = "{\"Resources\":{\"Topic\":{\"Type\":\"AWS::SNS::Topic\"}}}"
  policy_body   = jsonencode({ Statement = [{ Effect = "Deny", Action = ["Update:Replace", "Update:Delete"], Principal = "*", Resource = "LogicalResourceId/Topic" }] })
}
