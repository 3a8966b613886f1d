resource "aws_s3_bucket" "weights" {
  bucket        = "weights"
  force_destroy = true
}
resource "aws_lb" "api" {
  name                       = "api"
  internal                   = true
  load_balancer_type         = "network"
  subnets                    = ["subnet-0a", "subnet-0b"]
  enable_deletion_protection = false
}
resource "aws_dynamodb_table" "queue" {
  name         = "queue"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "id"
  attribute {
    name = "id"
    type = "S"
  }
  point_in_time_recovery {
    enabled = false
  }
}
resource "aws_cloudformation_stack" "narrower" {
  name          = "narrower"
  parameters    = {}
  template_body = "{\"Resources\":{\"Topic\":{\"Type\":\"AWS::SNS::Topic\"}}}"
  policy_body   = jsonencode({ Statement = [{ Effect = "Allow", Action = "Update:*", Principal = "*", Resource = "*" }, { Effect = "Deny", Action = "Update:Delete", Principal = "*", Resource = "LogicalResourceId/Topic" }] })
}
