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

  # Expected values of the assertions: the objects of the state bucket.
  state_objects = "arn:aws:s3:::hawser-state-111122223333-us-west-2"
  states        = ["*/eks.tfstate", "*/hyperpod.tfstate", "*/platform.tfstate"]
  locks         = ["*/eks.tfstate.tflock", "*/hyperpod.tfstate.tflock", "*/platform.tfstate.tflock"]
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

  # The plan role: nothing is written but new bundles, and no object is read but the stacks' states, locks and start scripts.
  assert {
    condition = {
      for statement in jsondecode(aws_iam_role_policy.plan["ci"].policy).Statement :
      statement.Sid => [statement.Effect, toset(flatten([statement.Action])), toset(flatten([statement.Resource]))]
      } == {
      ReadState       = ["Allow", toset(["s3:GetObject"]), toset([for key in concat(var.states, var.locks) : "${var.state_objects}/${key}"])]
      WriteNewBundles = ["Allow", toset(["s3:PutObject"]), toset(["${var.state_objects}/bundles/*"])]
      StateKey        = ["Allow", toset(["kms:GenerateDataKey", "kms:Decrypt"]), toset(["arn:aws:kms:us-west-2:111122223333:key/*"])]
    }
    error_message = "the plan role reads the stacks' states and writes new bundles, nothing else"
  }

  assert {
    condition = [
      for statement in jsondecode(aws_iam_role_policy.plan["ci"].policy).Statement : try(statement.Condition.Null, null) if statement.Action == "s3:PutObject"
    ] == [{ "s3:if-none-match" = "false" }]
    error_message = "the plan role overwrites nothing"
  }

  # People who approve: they write approvals under their own unique id, and nothing else.
  assert {
    condition = {
      for statement in jsondecode(aws_iam_policy.approve.policy).Statement :
      statement.Sid => [statement.Effect, toset(flatten([statement.Action])), toset(flatten([statement.Resource])), try(statement.Condition, null)]
      } == {
      Sign = ["Allow", toset(["kms:Sign"]), toset(["arn:aws:kms:us-west-2:111122223333:key/*"]), {
        "ForAnyValue:StringEquals" = { "kms:ResourceAliases" = "alias/hawser-approvals" }
        StringEquals               = { "kms:SigningAlgorithm" = "RSASSA_PSS_SHA_256" }
      }]
      PublicKey = ["Allow", toset(["kms:GetPublicKey"]), toset(["arn:aws:kms:us-west-2:111122223333:key/*"]), {
        "ForAnyValue:StringEquals" = { "kms:ResourceAliases" = "alias/hawser-approvals" }
      }]
      ReadBundlesAndStates = ["Allow", toset(["s3:GetObject"]), toset([for key in concat(["approvals/*", "bundles/*"], var.states) : "${var.state_objects}/${key}"]), null]
      FindThem             = ["Allow", toset(["s3:ListBucket"]), toset([var.state_objects]), null]
      WriteOwnApproval = ["Allow", toset(["s3:PutObject"]), toset(["${var.state_objects}/approvals/*/$${aws:userid}.json"]), {
        Null = { "s3:if-none-match" = "false" }
      }]
      StateKey = ["Allow", toset(["kms:GenerateDataKey", "kms:Decrypt"]), toset(["arn:aws:kms:us-west-2:111122223333:key/*"]), {
        "ForAnyValue:StringEquals" = { "kms:ResourceAliases" = "alias/hawser-state" }
        StringEquals               = { "kms:ViaService" = "s3.us-west-2.amazonaws.com" }
      }]
    }
    error_message = "approvers sign, read bundles and states, and write their own approval where none is"
  }

  # Neither role signs, nor writes an approval: kms:Sign and the prefix are in none of their policies.
  assert {
    condition = !anytrue(flatten([
      for policy in concat([aws_iam_role_policy.plan["ci"].policy, aws_iam_policy.describe["ci"].policy], values(aws_iam_policy.apply)[*].policy) : [
        for statement in jsondecode(policy).Statement : [
          contains(flatten([statement.Action]), "kms:Sign"),
          contains(flatten([statement.Action]), "s3:PutObject") && anytrue([for arn in flatten([statement.Resource]) : strcontains(arn, "/approvals/")]),
        ]
      ]
    ]))
    error_message = "CI approves nothing"
  }

  assert {
    condition = toset(flatten([
      for statement in jsondecode(aws_iam_policy.apply["state"].policy).Statement : statement.Resource if statement.Sid == "ReadBundles"
    ])) == toset(["${var.state_objects}/approvals/*", "${var.state_objects}/bundles/*"])
    error_message = "the apply role reads bundles and approvals, and asks nobody for a key: it is verified offline"
  }

  # State objects of the apply role: the stacks', never bootstrap's.
  assert {
    condition = toset(flatten([
      for statement in jsondecode(aws_iam_policy.apply["state"].policy).Statement : statement.Resource if contains(flatten([statement.Action]), "s3:PutObject")
    ])) == toset([for key in concat(var.states, var.locks) : "${var.state_objects}/${key}"])
    error_message = "the apply role writes the states of the stacks alone"
  }

  # What the boundary denies.
  assert {
    condition = {
      for statement in jsondecode(aws_iam_policy.apply_boundary["ci"].policy).Statement :
      statement.Sid => [toset(flatten([statement.Action])), toset(flatten([statement.Resource])), try(statement.Condition, null)] if statement.Effect == "Deny"
      } == {
      OwnRolesStay = [
        toset(["iam:*"]),
        toset(["arn:aws:iam::111122223333:role/hawser-apply-us-west-2", "arn:aws:iam::111122223333:role/hawser-plan-us-west-2"]),
        null,
      ]
      KeysOfBootstrapStay = [
        toset(["kms:*agResource", "kms:CreateGrant", "kms:Disable*", "kms:PutKeyPolicy", "kms:ScheduleKeyDeletion", "kms:Sign", "kms:UpdateKeyDescription"]),
        toset(["*"]),
        { "ForAnyValue:StringEquals" = { "kms:ResourceAliases" = ["alias/hawser-approvals", "alias/hawser-artifacts", "alias/hawser-state"] } },
      ]
      StateOfBootstrapStays = [
        toset(["s3:DeleteObject", "s3:PutObject"]), toset(["${var.state_objects}/111122223333/us-west-2/bootstrap.tfstate*"]), null,
      ]
      BuysNothing = [
        toset(["ec2:AcceptReservedInstancesExchangeQuote", "ec2:CreateCapacityReservation*", "ec2:Purchase*"]), toset(["*"]), null,
      ]
    }
    error_message = "the apply role may not change itself, bootstrap's keys or its state, and may not buy"
  }

  # Without a Deny of its own: no alias may be made, moved or deleted but those of data keys.
  assert {
    condition = toset(flatten([
      for policy in [aws_iam_policy.apply["access"].policy, aws_iam_policy.apply_boundary["ci"].policy] : [
        for statement in jsondecode(policy).Statement : [
          for arn in flatten([statement.Resource]) : arn if strcontains(arn, ":alias/") || arn == "*"
        ] if statement.Effect == "Allow" && length(setintersection(flatten([statement.Action]), ["kms:CreateAlias", "kms:DeleteAlias", "kms:UpdateAlias"])) > 0
      ]
    ])) == toset(["arn:aws:kms:us-west-2:111122223333:alias/*-data"])
    error_message = "aliases of bootstrap stay"
  }

  # Every statement that lets a key be rewritten or deleted asks for the platform's tag where there is one.
  assert {
    condition = toset(flatten([
      for policy in [aws_iam_policy.apply["access"].policy, aws_iam_policy.apply_boundary["ci"].policy] : [
        for statement in jsondecode(policy).Statement : try(statement.Condition.StringEqualsIfExists["aws:ResourceTag/stack"], "any key")
        if statement.Effect == "Allow" && length(setintersection(flatten([statement.Action]), ["kms:PutKeyPolicy", "kms:ScheduleKeyDeletion", "kms:TagResource", "kms:UntagResource"])) > 0
      ]
    ])) == toset(["platform"])
    error_message = "keys of other stacks stay"
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
      for policy in concat(values(aws_iam_policy.apply)[*].policy, [aws_iam_policy.apply_boundary["ci"].policy, aws_iam_policy.describe["ci"].policy]) : [
        for statement in jsondecode(policy).Statement : [
          for action in flatten([statement.Action]) : !endswith(action, ":*") && action != "*"
        ] if statement.Effect == "Allow" && contains(flatten([statement.Resource]), "*")
      ]
    ]))
    error_message = "no whole service on everything"
  }

  assert {
    condition = [
      for statement in jsondecode(aws_iam_policy.apply["passing"].policy).Statement :
      [length(statement.Resource) > 0, contains(flatten([statement.Resource]), "*"), length(statement.Condition.StringEquals["iam:PassedToService"]) > 0]
      if contains(flatten([statement.Action]), "iam:PassRole")
    ] == [[true, false, true]]
    error_message = "roles are passed by name, to named services"
  }

  assert {
    condition = alltrue([
      for policy in concat(values(aws_iam_policy.apply)[*].policy, [aws_iam_policy.apply_boundary["ci"].policy, aws_iam_policy.describe["ci"].policy]) : length(policy) <= 6144
    ])
    error_message = "IAM takes managed policies of 6,144 characters"
  }

  # Certificates are the operator's.
  assert {
    condition = !anytrue(flatten([
      for policy in concat(values(aws_iam_policy.apply)[*].policy, [aws_iam_policy.apply_boundary["ci"].policy, aws_iam_policy.describe["ci"].policy]) : [
        for statement in jsondecode(policy).Statement : [for arn in flatten([statement.Resource]) : strcontains(arn, "hyperpod-tls-") && endswith(arn, "/*")]
      ]
    ]))
    error_message = "no object of a certificate bucket is read or written"
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
    condition = toset(one([for statement in jsondecode(aws_kms_key.approvals.policy).Statement : statement.Condition.ArnLike["aws:PrincipalArn"] if statement.Sid == "MachinesSignNothing"])) == toset(concat(
      ["arn:aws:iam::111122223333:role/hawser-apply-us-west-2", "arn:aws:iam::111122223333:role/hawser-plan-us-west-2"],
      flatten([for statement in jsondecode(aws_iam_policy.apply["passing"].policy).Statement : statement.Resource if statement.Sid == "PassRolesOfTheStacks"]),
    ))
    error_message = "nor may the roles that CI makes"
  }

  assert {
    condition = one([for statement in jsondecode(aws_kms_key.artifacts.policy).Statement : statement if statement.Sid == "WeightsCachesRead"]) == {
      Sid       = "WeightsCachesRead"
      Effect    = "Allow"
      Principal = { AWS = "*" }
      Action    = ["kms:DescribeKey", "kms:Decrypt"]
      Resource  = "*"
      Condition = {
        StringEquals = { "kms:CallerAccount" = "111122223333", "kms:ViaService" = "s3.us-west-2.amazonaws.com" }
        ArnLike      = { "aws:PrincipalArn" = "arn:aws:iam::111122223333:role/aws-service-role/s3.data-source.lustre.fsx.amazonaws.com/*" }
      }
    }
    error_message = "FSx must be able to read the weights, and nobody else by this statement"
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
      values(aws_iam_policy.apply)[*].policy,
      [
        aws_iam_policy.apply_boundary["ci"].policy, aws_iam_policy.describe["ci"].policy, aws_iam_role_policy.plan["ci"].policy,
        aws_iam_role.apply["ci"].assume_role_policy, aws_kms_key.approvals.policy, aws_kms_key.artifacts.policy, aws_iam_policy.approve.policy, aws_s3_bucket_policy.access_logs.policy,
      ],
    )), "arn:aws:")
    error_message = "no ARN of another partition"
  }

  assert {
    condition     = length(aws_iam_policy.apply_boundary["ci"].policy) <= 6144
    error_message = "the longer names of the partition must fit too"
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

run "refuses_a_repository_name_with_mixed_separators" {
  command = plan

  variables {
    image_repository = "vllm/vllm.-openai"
  }

  expect_failures = [var.image_repository]
}

run "refuses_a_repository_name_of_one_letter" {
  command = plan

  variables {
    image_repository = "k"
  }

  expect_failures = [var.image_repository]
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
