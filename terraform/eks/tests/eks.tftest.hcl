# The real provider without an account: a plan of this stack calls no AWS API.
provider "aws" {
  region                      = "us-west-2"
  access_key                  = "offline"
  secret_key                  = "offline"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
}

variables {
  environment    = "test"
  account_id     = "111122223333"
  region         = "us-west-2"
  tags           = { team = "inference" }
  weights_bucket = "hawser-weights-111122223333-us-west-2"

  node_subnet_ids           = { usw2-az1 = "subnet-0a", usw2-az2 = "subnet-0b" }
  cluster_name              = "hawser-test"
  cluster_arn               = "arn:aws:eks:us-west-2:111122223333:cluster/hawser-test"
  cluster_security_group_id = "sg-0cluster"
  efa_security_group_id     = "sg-0efa"
  data_kms_key_arn          = "arn:aws:kms:us-west-2:111122223333:key/11111111-2222-3333-4444-555555555555"

  pools = {
    k3-block-a = {
      instance_type  = "p6-b300.48xlarge"
      kind           = "capacity-block"
      count          = 2
      reservation_id = "cr-0123456789abcdef0"
      zone_id        = "usw2-az2"
      start          = "2027-01-11T11:30:00Z"
      end            = "2027-02-08T11:30:00Z"
      gpus           = 8
      interfaces = concat(
        [{ card = 0, device = 0, type = "interface" }],
        [for card in range(1, 17) : { card = card, device = 0, type = "efa-only" }],
      )
    }
    small = {
      instance_type = "g6e.xlarge"
      kind          = "on-demand"
      count         = 3
      zone_id       = "usw2-az1"
      gpus          = 1
      interfaces    = [{ card = 0, device = 0, type = "interface" }]
    }
  }
}

# An assertion on an unknown value is an error, so this also proves that the policy is in the first plan.
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

run "outputs_count_gpus_of_full_pools" {
  command = plan

  assert {
    condition     = output.gpus == { k3-block-a = 16, small = 3 }
    error_message = "a pool has count times gpus"
  }

  assert {
    condition     = output.node_groups == { k3-block-a = "k3-block-a", small = "small" }
    error_message = "each pool is one node group of its name"
  }
}

run "refuses_a_zone_without_subnet" {
  command = plan

  variables {
    node_subnet_ids = { usw2-az1 = "subnet-0a" }
  }

  expect_failures = [var.pools]
}

run "refuses_the_name_of_the_system_nodes" {
  command = plan

  variables {
    pools = {
      system = {
        instance_type = "g6e.xlarge"
        kind          = "on-demand"
        count         = 1
        zone_id       = "usw2-az1"
        gpus          = 1
        interfaces    = [{ card = 0, device = 0, type = "interface" }]
      }
    }
  }

  expect_failures = [var.pools]
}

run "refuses_a_weights_uri" {
  command = plan

  variables {
    weights_bucket = "s3://hawser-weights-111122223333-us-west-2/kimi-k3"
  }

  expect_failures = [var.weights_bucket]
}
