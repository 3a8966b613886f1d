# The real provider without an account: a plan of this stack calls no AWS API, and computes every policy.
provider "aws" {
  region                      = "us-west-2"
  access_key                  = "offline"
  secret_key                  = "offline"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
}

variables {
  account_id       = "111122223333"
  region           = "us-west-2"
  tags             = { team = "inference" }
  state_bucket     = "hawser-state-111122223333-us-west-2"
  weights_bucket   = "hawser-weights-111122223333-us-west-2"
  image_repository = "vllm/vllm-openai"
  force_destroy    = false
  ci = {
    issuer       = "https://token.actions.githubusercontent.com"
    repository   = "example/hawser"
    branch       = "main"
    environments = ["prod", "staging"]
    provider     = "create"
  }
}

run "who_may_plan_and_who_may_apply" {
  command = plan

  assert {
    condition = one(jsondecode(aws_iam_role.plan["ci"].assume_role_policy).Statement) == {
      Action    = "sts:AssumeRoleWithWebIdentity"
      Effect    = "Allow"
      Principal = { Federated = "arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com" }
      Condition = { StringEquals = {
        "token.actions.githubusercontent.com:aud" = "sts.amazonaws.com"
        "token.actions.githubusercontent.com:sub" = ["repo:example/hawser:pull_request", "repo:example/hawser:ref:refs/heads/main"]
      } }
    }
    error_message = "pull requests and the branch may plan, by whole subjects"
  }

  assert {
    condition     = one(jsondecode(aws_iam_role.apply["ci"].assume_role_policy).Statement).Condition.StringEquals["token.actions.githubusercontent.com:sub"] == ["repo:example/hawser:environment:prod", "repo:example/hawser:environment:staging"]
    error_message = "only jobs of protected environments may apply"
  }

  assert {
    condition     = aws_iam_role.apply["ci"].max_session_duration == 43200
    error_message = "a HyperPod cluster is waited for up to 12 hours"
  }

  assert {
    condition     = length(aws_iam_openid_connect_provider.ci) == 1 && aws_iam_openid_connect_provider.ci["ci"].url == var.ci.issuer
    error_message = "the provider of the issuer must be made"
  }
}

run "what_they_may" {
  command = plan

  # The plan role: nothing is written but bundles, and no object is read but state and start scripts.
  assert {
    condition = {
      for statement in jsondecode(aws_iam_role_policy.plan["ci"].policy).Statement : statement.Sid => [statement.Action, statement.Resource]
      } == {
      ReadState    = ["s3:GetObject", "arn:aws:s3:::hawser-state-111122223333-us-west-2/*.tfstate"]
      WriteBundles = ["s3:PutObject", "arn:aws:s3:::hawser-state-111122223333-us-west-2/bundles/*"]
      StateKey     = [["kms:GenerateDataKey", "kms:Decrypt"], "arn:aws:kms:us-west-2:111122223333:key/*"]
    }
    error_message = "the plan role reads state and writes bundles, nothing else"
  }

  assert {
    condition = alltrue(flatten([
      for statement in jsondecode(aws_iam_policy.describe["ci"].policy).Statement : [
        for action in flatten([statement.Action]) : can(regex("^[a-z0-9]+:(Describe|Get|List)", action)) && !contains(["s3:GetObject", "s3:Get*"], action)
      ] if statement.Resource == "*"
    ]))
    error_message = "on all resources only settings may be read"
  }

  # Everything that the apply role is given, and what bounds it.
  assert {
    condition = alltrue(flatten([
      for policy in concat(values(aws_iam_role_policy.apply)[*].policy, [aws_iam_policy.apply_boundary["ci"].policy, aws_iam_policy.describe["ci"].policy]) : [
        for statement in jsondecode(policy).Statement : [
          for action in flatten([statement.Action]) : !endswith(action, ":*") && action != "*"
        ] if statement.Effect == "Allow" && contains(flatten([statement.Resource]), "*")
      ]
    ]))
    error_message = "no whole service on everything"
  }

  assert {
    condition = [
      for statement in jsondecode(aws_iam_role_policy.apply["access"].policy).Statement :
      [length(statement.Resource) > 0, contains(flatten([statement.Resource]), "*"), length(statement.Condition.StringEquals["iam:PassedToService"]) > 0]
      if contains(flatten([statement.Action]), "iam:PassRole")
    ] == [[true, false, true]]
    error_message = "roles are passed by name, to named services"
  }

  assert {
    condition = alltrue([
      for policy in [aws_iam_policy.apply_boundary["ci"].policy, aws_iam_policy.describe["ci"].policy] : length(policy) <= 6144
    ]) && length(join("", values(aws_iam_role_policy.apply)[*].policy)) <= 10240
    error_message = "IAM takes managed policies of 6,144 characters, and 10,240 of a role's own policies together"
  }

  assert {
    condition = toset(flatten([
      for statement in jsondecode(aws_iam_policy.apply_boundary["ci"].policy).Statement : statement.Resource if statement.Sid == "OwnRolesStay" && statement.Effect == "Deny"
    ])) == toset(["arn:aws:iam::111122223333:role/hawser-apply-us-west-2", "arn:aws:iam::111122223333:role/hawser-plan-us-west-2"])
    error_message = "the apply role may not change itself"
  }
}

run "keys_buckets_registry" {
  command = plan

  assert {
    condition     = aws_kms_key.approvals.key_usage == "SIGN_VERIFY" && aws_kms_key.approvals.customer_master_key_spec == "RSA_4096"
    error_message = "approvals are signed with an asymmetric key"
  }

  assert {
    condition     = one([for statement in jsondecode(aws_kms_key.approvals.policy).Statement : [statement.Effect, statement.Action] if statement.Sid == "MachinesSignNothing"]) == ["Deny", "kms:Sign"]
    error_message = "CI must not sign approvals"
  }

  assert {
    condition     = aws_kms_key.state.enable_key_rotation && aws_kms_key.artifacts.enable_key_rotation
    error_message = "keys that encrypt must rotate"
  }

  assert {
    condition     = aws_ecr_repository.image["vllm/vllm-openai"].image_tag_mutability == "IMMUTABLE" && one(aws_ecr_repository.image["vllm/vllm-openai"].image_scanning_configuration).scan_on_push && one(aws_ecr_repository.image["vllm/vllm-openai"].encryption_configuration).encryption_type == "KMS"
    error_message = "tags stay, images are scanned and encrypted"
  }

  assert {
    condition     = !aws_ecr_repository.image["vllm/vllm-openai"].force_delete && !aws_s3_bucket.access_logs.force_destroy
    error_message = "on AWS a destroy must not delete images or logs"
  }

  assert {
    condition     = one(one(aws_s3_bucket_server_side_encryption_configuration.access_logs.rule).apply_server_side_encryption_by_default).sse_algorithm == "AES256"
    error_message = "log delivery cannot write with a KMS key"
  }

  assert {
    condition     = output.state_bucket == var.state_bucket && output.weights_bucket == var.weights_bucket
    error_message = "names must be known in the first plan"
  }
}

run "without_ci_and_own_registry_there_is_neither_role_nor_repository" {
  command = plan

  variables {
    ci               = null
    image_repository = null
  }

  assert {
    condition     = length(aws_ecr_repository.image) == 0 && output.image_repository_url == null
    error_message = "an image in another registry needs no repository here"
  }

  assert {
    condition     = length(aws_iam_role.plan) + length(aws_iam_role.apply) + length(aws_iam_policy.describe) + length(aws_iam_openid_connect_provider.ci) == 0
    error_message = "without ci there must be no role and no provider"
  }

  assert {
    condition     = output.plan_role_arn == null && output.apply_role_arn == null
    error_message = "roles that are not there have no ARN"
  }
}

run "an_existing_provider_is_only_named" {
  command = plan

  variables {
    ci = {
      issuer       = "https://git.example.com/_services/token"
      repository   = "example@1234/hawser@5678"
      branch       = "main"
      environments = ["prod"]
      provider     = "existing"
    }
  }

  assert {
    condition     = length(aws_iam_openid_connect_provider.ci) == 0
    error_message = "a provider that exists must not be made again"
  }

  assert {
    condition     = one(jsondecode(aws_iam_role.apply["ci"].assume_role_policy).Statement).Condition.StringEquals["git.example.com/_services/token:sub"] == "repo:example@1234/hawser@5678:environment:prod"
    error_message = "ids of immutable subjects stay in the subject"
  }
}

run "in_govcloud_every_arn_is_of_its_partition" {
  command = plan

  override_data {
    target = data.aws_partition.current
    values = { partition = "aws-us-gov" }
  }

  override_data {
    target = module.state_bucket.data.aws_partition.current
    values = { partition = "aws-us-gov" }
  }

  override_data {
    target = module.weights_bucket.data.aws_partition.current
    values = { partition = "aws-us-gov" }
  }

  variables {
    region = "us-gov-west-1"
  }

  assert {
    condition = !strcontains(join("", concat(
      values(aws_iam_role_policy.apply)[*].policy,
      [
        aws_iam_policy.apply_boundary["ci"].policy, aws_iam_policy.describe["ci"].policy, aws_iam_role_policy.plan["ci"].policy,
        aws_iam_role.apply["ci"].assume_role_policy, aws_kms_key.approvals.policy, aws_s3_bucket_policy.access_logs.policy,
      ],
    )), "arn:aws:")
    error_message = "no ARN of another partition"
  }
}

run "refuses_names_that_aws_would_refuse" {
  command = plan

  variables {
    account_id       = "1111"
    region           = "us-west-2b"
    state_bucket     = "hawser.state"
    image_repository = "vllm/vllm-openai:latest"
  }

  expect_failures = [var.account_id, var.region, var.state_bucket, var.image_repository]
}

run "refuses_a_path_for_a_bucket" {
  command = plan

  variables {
    weights_bucket = "s3://weights/kimi-k3"
  }

  expect_failures = [var.weights_bucket]
}

run "refuses_one_bucket_for_both" {
  command = plan

  variables {
    weights_bucket = "hawser-state-111122223333-us-west-2"
  }

  expect_failures = [var.weights_bucket]
}

run "refuses_wildcards_in_whom_it_trusts" {
  command = plan

  variables {
    ci = {
      issuer       = "http://token.actions.githubusercontent.com/"
      repository   = "example/*"
      branch       = "release/*"
      environments = ["*"]
      provider     = "made"
    }
  }

  expect_failures = [var.ci]
}

run "refuses_to_let_nobody_apply" {
  command = plan

  variables {
    ci = {
      issuer       = "https://token.actions.githubusercontent.com"
      repository   = "example/hawser"
      branch       = "main"
      environments = []
      provider     = "create"
    }
  }

  expect_failures = [var.ci]
}
