mock_provider "aws" {
  mock_data "aws_partition" {
    defaults = { partition = "aws" }
  }

  mock_data "aws_iam_policy_document" {
    defaults = { json = "{\"Version\":\"2012-10-17\",\"Statement\":[]}" }
  }
}

# For the policies: the real provider, which computes documents without calling AWS.
provider "aws" {
  alias                       = "offline"
  region                      = "us-west-2"
  access_key                  = "offline"
  secret_key                  = "offline"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
}

variables {
  name        = "hawser-weights-111122223333-us-west-2"
  kms_key_arn = "arn:aws:kms:us-west-2:111122223333:key/0b1c2d3e-0000-4000-8000-000000000000"
  account_id  = "111122223333"
}

run "closed_encrypted_and_versioned" {
  command = plan

  assert {
    condition = alltrue([
      aws_s3_bucket_public_access_block.this.block_public_acls,
      aws_s3_bucket_public_access_block.this.block_public_policy,
      aws_s3_bucket_public_access_block.this.ignore_public_acls,
      aws_s3_bucket_public_access_block.this.restrict_public_buckets,
    ])
    error_message = "all four public access blocks must be on"
  }

  assert {
    condition     = one(one(aws_s3_bucket_server_side_encryption_configuration.this.rule).apply_server_side_encryption_by_default).kms_master_key_id == var.kms_key_arn
    error_message = "objects must be encrypted with the given key"
  }

  assert {
    condition     = one(aws_s3_bucket_versioning.this.versioning_configuration).status == "Enabled"
    error_message = "versioning must be on"
  }

  assert {
    condition     = one(aws_s3_bucket_ownership_controls.this.rule).object_ownership == "BucketOwnerEnforced"
    error_message = "ACLs must be off"
  }

  assert {
    condition     = aws_s3_bucket.this.force_destroy != true
    error_message = "objects must survive a destroy"
  }

  assert {
    condition     = length(aws_s3_bucket_logging.this) == 0
    error_message = "without a bucket for them there are no access logs"
  }

  assert {
    condition     = output.name == var.name && output.arn == "arn:aws:s3:::${var.name}"
    error_message = "name and ARN must be known in the first plan"
  }
}

run "policy_denies_plain_http_and_other_accounts" {
  command   = plan
  providers = { aws = aws.offline }
  state_key = "offline"

  assert {
    condition = {
      for statement in jsondecode(aws_s3_bucket_policy.this.policy).Statement : statement.Sid => [statement.Effect, statement.Condition]
      } == {
      DenyWithoutTls = ["Deny", { Bool = { "aws:SecureTransport" = "false" } }]
      DenyOtherAccounts = ["Deny", {
        StringNotEqualsIfExists = { "aws:PrincipalAccount" = "111122223333" }
        BoolIfExists            = { "aws:PrincipalIsAWSService" = "false" }
      }]
    }
    error_message = "the policy must hold exactly the two denials"
  }

  assert {
    condition = alltrue([
      for statement in jsondecode(aws_s3_bucket_policy.this.policy).Statement :
      sort(statement.Resource) == tolist(["arn:aws:s3:::${var.name}", "arn:aws:s3:::${var.name}/*"])
    ])
    error_message = "each denial must cover the bucket and its objects"
  }
}

run "access_is_logged_under_the_name_of_the_bucket" {
  command = plan

  variables {
    access_log_bucket = "hawser-access-logs-111122223333-us-west-2"
  }

  assert {
    condition     = one(aws_s3_bucket_logging.this).target_bucket == var.access_log_bucket && one(aws_s3_bucket_logging.this).target_prefix == "${var.name}/"
    error_message = "access logs must go to the given bucket, apart from those of other buckets"
  }
}

run "what_is_of_no_use_later_goes" {
  command = plan

  variables {
    expire_after_days = { "bundles/" = 30 }
  }

  assert {
    condition = [
      for rule in aws_s3_bucket_lifecycle_configuration.this.rule :
      "${one(rule.filter).prefix} ${one(rule.expiration).days} ${one(rule.noncurrent_version_expiration).noncurrent_days}" if length(rule.expiration) > 0
    ] == ["bundles/ 30 1"]
    error_message = "objects below the prefix go after their days, with every version of them; no other object goes"
  }
}

run "refuses_to_empty_the_bucket" {
  command = plan

  variables {
    expire_after_days = { "" = 30 }
  }

  expect_failures = [var.expire_after_days]
}

run "refuses_a_name_that_s3_keeps" {
  command = plan

  variables {
    name = "weights-111122223333-s3alias"
  }

  expect_failures = [var.name]
}

run "refuses_a_name_with_dots" {
  command = plan

  variables {
    name = "weights.example.com"
  }

  expect_failures = [var.name]
}

run "refuses_an_alias_and_a_short_account" {
  command = plan

  variables {
    kms_key_arn = "alias/aws/s3"
    account_id  = "12345"
  }

  expect_failures = [var.kms_key_arn, var.account_id]
}
