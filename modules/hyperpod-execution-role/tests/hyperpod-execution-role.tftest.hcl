mock_provider "aws" {
  mock_data "aws_partition" {
    defaults = { partition = "aws" }
  }

  mock_data "aws_iam_policy_document" {
    defaults = { json = "{\"Version\":\"2012-10-17\",\"Statement\":[]}" }
  }
}

variables {
  name               = "hawser-prod-hyperpod-execution"
  account_id         = "111122223333"
  region             = "us-west-2"
  eks_cluster_arn    = "arn:aws:eks:us-west-2:111122223333:cluster/hawser-prod"
  subnet_ids         = ["subnet-0b", "subnet-0a"]
  security_group_ids = ["sg-0efa", "sg-0cluster"]
  lifecycle_bucket   = "sagemaker-hawser-prod-111122223333-us-west-2"
  kms_key_arn        = "arn:aws:kms:us-west-2:111122223333:key/11111111-2222-3333-4444-555555555555"
}

run "role_is_for_sagemaker_and_known_before_apply" {
  command = plan

  assert {
    condition     = output.role_arn == "arn:aws:iam::111122223333:role/hawser-prod-hyperpod-execution"
    error_message = "the ARN must be built from names, so that a template with it is in the first plan"
  }

  assert {
    condition     = one(data.aws_iam_policy_document.trust.statement[0].principals).identifiers == toset(["sagemaker.amazonaws.com"])
    error_message = "only SageMaker may take the role"
  }

  assert {
    condition     = aws_iam_role_policy_attachment.managed.policy_arn == "arn:aws:iam::aws:policy/AmazonSageMakerClusterInstanceRolePolicy"
    error_message = "HyperPod nodes need their managed policy"
  }

  assert {
    condition     = keys(aws_iam_role_policy.this) == ["network", "node", "volumes"]
    error_message = "the role must have its three inline policies"
  }
}

run "rights_are_narrow" {
  command = plan

  assert {
    condition = one([for s in data.aws_iam_policy_document.network.statement : s.resources if s.sid == "ManageInterfacesInTheNodeSubnets"]) == toset([
      "arn:aws:ec2:us-west-2:111122223333:instance/*",
      "arn:aws:ec2:us-west-2:111122223333:network-interface/*",
      "arn:aws:ec2:us-west-2:111122223333:security-group/sg-0cluster",
      "arn:aws:ec2:us-west-2:111122223333:security-group/sg-0efa",
      "arn:aws:ec2:us-west-2:111122223333:subnet/subnet-0a",
      "arn:aws:ec2:us-west-2:111122223333:subnet/subnet-0b",
    ])
    error_message = "interfaces may be made in the node subnets with the nodes' groups only"
  }

  assert {
    condition = toset(flatten([
      for s in concat(data.aws_iam_policy_document.network.statement, data.aws_iam_policy_document.node.statement, data.aws_iam_policy_document.volumes.statement) :
      s.sid if contains(s.resources, "*")
    ])) == toset(["ReadNetwork", "LogInToRegistries"])
    error_message = "only actions that know no resources may have the resource *"
  }

  assert {
    condition     = one([for s in data.aws_iam_policy_document.node.statement : s.resources if s.sid == "GetCredentialsForPods"]) == toset([var.eks_cluster_arn])
    error_message = "pod identity must be limited to the cluster"
  }

  assert {
    condition     = alltrue([for s in data.aws_iam_policy_document.volumes.statement : anytrue([for c in s.condition : c.variable == "kms:ViaService"])])
    error_message = "the key may be used through SageMaker only"
  }
}

run "refuses_a_name_over_64_characters" {
  command = plan

  variables {
    name = "hawser-production-of-the-whole-inference-platform-hyperpod-execution"
  }

  expect_failures = [var.name]
}

run "refuses_a_key_alias" {
  command = plan

  variables {
    kms_key_arn = "arn:aws:kms:us-west-2:111122223333:alias/data"
  }

  expect_failures = [var.kms_key_arn]
}

run "refuses_no_subnet" {
  command = plan

  variables {
    subnet_ids = []
  }

  expect_failures = [var.subnet_ids]
}
