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
  addons         = { aws-ebs-csi-driver = null, coredns = "v1.12.4-eksbuild.1", vpc-cni = null }
  system_nodes   = { instance_type = "m6i.large", count = 2 }
  weights_bucket = "hawser-weights-111122223333-us-west-2"

  network = {
    vpc_cidr              = "10.40.0.0/16"
    node_subnets          = { usw2-az1 = "10.40.0.0/20", usw2-az2 = "10.40.16.0/20" }
    control_plane_subnets = { usw2-az1 = "10.40.240.0/27", usw2-az2 = "10.40.240.32/27" }
    public_subnets        = { usw2-az1 = "10.40.250.0/26" }
    egress                = "nat"
  }

  cluster = {
    name                = "hawser-test"
    kubernetes_version  = "1.35"
    public_access_cidrs = []
    admin_principals    = ["arn:aws:iam::111122223333:role/platform-admin"]
  }
}

# An assertion on an unknown value is an error, so each of these also proves that the policy is in the first plan.
run "policies_are_whole_in_the_first_plan" {
  command = plan

  assert {
    condition = [
      for statement in jsondecode(aws_iam_role_policy.cloudformation.policy).Statement : [statement.Resource, statement.Condition.StringEquals["iam:PassedToService"]] if statement.Action == "iam:PassRole"
    ] == [["arn:aws:iam::111122223333:role/hawser-test-hyperpod-execution", "sagemaker.amazonaws.com"]]
    error_message = "CloudFormation may pass the execution role to SageMaker, and no other role to anybody"
  }

  assert {
    condition = alltrue(flatten([
      for statement in jsondecode(aws_iam_role_policy.cloudformation.policy).Statement :
      [for action in flatten([statement.Action]) : can(regex("^(ec2:Describe|sagemaker:List)", action))] if contains(flatten([statement.Resource]), "*")
    ]))
    error_message = "on all resources CloudFormation may only look"
  }

  assert {
    condition     = one(jsondecode(aws_iam_role.cloudformation.assume_role_policy).Statement).Condition == { StringEquals = { "aws:SourceAccount" = "111122223333" } }
    error_message = "CloudFormation may assume the role for this account only"
  }

  assert {
    condition = alltrue([
      for statement in jsondecode(aws_kms_key.data.policy).Statement :
      can(statement.Condition) || statement.Principal == { AWS = "arn:aws:iam::111122223333:root" }
    ])
    error_message = "the key may be used by anybody but the account itself only under a condition"
  }
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

run "nodes_are_encrypted_and_keep_their_credentials" {
  command = plan

  assert {
    condition     = one(aws_launch_template.system[0].metadata_options).http_tokens == "required" && one(aws_launch_template.system[0].metadata_options).http_put_response_hop_limit == 1
    error_message = "pods must not reach the credentials of the node"
  }

  assert {
    condition     = one(one(aws_launch_template.system[0].block_device_mappings).ebs).encrypted == "true"
    error_message = "root volumes must be encrypted"
  }

  assert {
    condition     = aws_launch_template.system[0].vpc_security_group_ids == null && length(aws_launch_template.system[0].network_interfaces) == 0
    error_message = "without groups of its own the template lets EKS attach the cluster's"
  }

  assert {
    condition     = aws_eks_node_group.system[0].version == "1.35" && one(aws_eks_node_group.system[0].scaling_config).desired_size == 2
    error_message = "system nodes must follow the cluster's version and the given count"
  }
}

run "what_later_stacks_name_is_known_in_the_first_plan" {
  command = plan

  assert {
    condition     = output.cluster_name == "hawser-test" && output.cluster_arn == "arn:aws:eks:us-west-2:111122223333:cluster/hawser-test" && output.cloudformation_role_arn == "arn:aws:iam::111122223333:role/hawser-test-cloudformation"
    error_message = "names and the ARNs made of them must be known before anything exists"
  }
}

run "system_nodes_may_be_left_to_hyperpod" {
  command = plan

  variables {
    system_nodes = null
    addons       = { vpc-cni = "v1.20.4-eksbuild.2" }
  }

  assert {
    condition     = length(aws_eks_node_group.system) + length(aws_launch_template.system) + length(aws_iam_role.system_node) + length(aws_iam_role_policy_attachment.system_node) == 0
    error_message = "without system_nodes the platform must make no node and no role for one"
  }

  assert {
    condition     = length(module.addons_on_nodes.names) == 0 && keys(module.addons_before_nodes) == ["eks-pod-identity-agent", "kube-proxy", "vpc-cni"]
    error_message = "only add-ons that are active without a node may be installed"
  }
}

run "refuses_an_addon_that_would_wait_for_nodes_for_ever" {
  command = plan

  variables {
    system_nodes = null
    addons       = { coredns = null }
  }

  expect_failures = [var.addons]
}

run "closed_network_has_a_way_to_every_api_that_is_called" {
  command = plan

  variables {
    network = {
      vpc_cidr              = "10.40.0.0/16"
      node_subnets          = { usw2-az1 = "10.40.0.0/20", usw2-az2 = "10.40.16.0/20" }
      control_plane_subnets = { usw2-az1 = "10.40.240.0/27", usw2-az2 = "10.40.240.32/27" }
      public_subnets        = {}
      egress                = "endpoints"
    }
  }

  assert {
    condition = toset(local.interface_services) == toset([
      "ec2", "ec2messages", "ecr.api", "ecr.dkr", "eks", "eks-auth", "elasticloadbalancing", "fsx", "logs", "monitoring", "sagemaker.api", "ssm", "ssmmessages", "sts",
    ])
    error_message = "each service that nodes and controllers call needs an endpoint of its own"
  }

  assert {
    condition     = length(output.nat_public_ips) == 0
    error_message = "a closed network has no way to the internet"
  }
}

run "refuses_one_system_node_and_long_names" {
  command = plan

  variables {
    system_nodes = { instance_type = "m6i.large", count = 1 }
    cluster = {
      name                = "a-cluster-name-that-leaves-no-room-for-roles"
      kubernetes_version  = "1.35"
      public_access_cidrs = []
      admin_principals    = ["arn:aws:iam::111122223333:role/platform-admin"]
    }
  }

  expect_failures = [var.system_nodes, var.cluster]
}

run "refuses_a_weights_uri_and_wrong_places" {
  command = plan

  variables {
    account_id     = "12345"
    region         = "us-west-2a"
    weights_bucket = "s3://hawser-weights-111122223333-us-west-2/kimi-k3"
  }

  expect_failures = [var.account_id, var.region, var.weights_bucket]
}
