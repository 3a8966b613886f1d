# The real provider without an account: a plan of this module calls no AWS API.
provider "aws" {
  region                      = "us-west-2"
  access_key                  = "offline"
  secret_key                  = "offline"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
}

variables {
  name           = "shared-eks-serving"
  cluster_name   = "shared-eks"
  cluster_arn    = "arn:aws:eks:us-west-2:111122223333:cluster/shared-eks"
  account_id     = "111122223333"
  region         = "us-west-2"
  weights_bucket = "hawser-weights-111122223333-us-west-2"
}

run "model_server_reads_the_weights_and_nothing_else" {
  command = plan

  assert {
    condition = alltrue([
      for statement in jsondecode(data.aws_iam_policy_document.read_weights.json).Statement :
      contains(["s3:GetObject", "s3:ListBucket", "kms:Decrypt"], statement.Action)
    ])
    error_message = "the model server may only read"
  }

  assert {
    condition = toset([
      for statement in jsondecode(data.aws_iam_policy_document.read_weights.json).Statement : statement.Resource if startswith(statement.Action, "s3:")
      ]) == toset([
      "arn:aws:s3:::hawser-weights-111122223333-us-west-2",
      "arn:aws:s3:::hawser-weights-111122223333-us-west-2/*",
    ])
    error_message = "the model server may read the weights bucket only"
  }

  assert {
    condition = one([
      for statement in jsondecode(data.aws_iam_policy_document.read_weights.json).Statement : statement.Condition.StringLike["kms:EncryptionContext:aws:s3:arn"] if statement.Action == "kms:Decrypt"
      ]) == [
      "arn:aws:s3:::hawser-weights-111122223333-us-west-2",
      "arn:aws:s3:::hawser-weights-111122223333-us-west-2/*",
    ]
    error_message = "a key may be used for objects of the weights bucket only"
  }
}

run "refuses_a_uri_and_a_zone" {
  command = plan

  variables {
    weights_bucket = "s3://weights/kimi-k3"
    region         = "us-west-2a"
  }

  expect_failures = [var.region, var.weights_bucket]
}
