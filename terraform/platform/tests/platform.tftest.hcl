# The real provider without an account: a plan of this stack calls no AWS API.
provider "aws" {
  region                      = "us-west-2"
  access_key                  = "offline"
  secret_key                  = "offline"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
}

provider "aws" {
  alias                       = "gov"
  region                      = "us-gov-east-1"
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
  alerts         = { emails = ["on-call@example.com"], monthly_budget_usd = 400000 }

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

run "alerts_reach_the_topic_and_a_person" {
  command = plan

  assert {
    condition = { for statement in jsondecode(aws_sns_topic.alerts.policy).Statement : statement.Sid => [
      statement.Action, statement.Resource, jsonencode(statement.Principal), jsonencode(statement.Condition),
      ] } == {
      AlarmsAndBudgetOfThisAccount = [
        "sns:Publish", "arn:aws:sns:us-west-2:111122223333:hawser-test-alerts",
        jsonencode({ Service = ["cloudwatch.amazonaws.com", "budgets.amazonaws.com"] }),
        jsonencode({ StringEquals = { "aws:SourceAccount" = "111122223333" } }),
      ]
    }
    error_message = "CloudWatch and Budgets of this account may write to the topic, and nobody else"
  }

  # Without it an encrypted topic swallows every alarm without a word.
  assert {
    condition = one([
      for statement in jsondecode(aws_kms_key.data.policy).Statement : toset(statement.Principal.Service) if try(toset(statement.Action) == toset(["kms:Decrypt", "kms:GenerateDataKey*"]), false)
    ]) == toset(["budgets.amazonaws.com", "cloudwatch.amazonaws.com"])
    error_message = "whoever writes to the topic must be let to the key that encrypts it"
  }

  assert {
    condition     = { for email, subscription in aws_sns_topic_subscription.mail : email => subscription.protocol } == { "on-call@example.com" = "email" }
    error_message = "every address must be subscribed"
  }

  assert {
    condition     = output.alerts_topic_arn == "arn:aws:sns:us-west-2:111122223333:hawser-test-alerts" && output.host_log_group == "/aws/containerinsights/hawser-test/host"
    error_message = "what later stacks name must be known before anything exists"
  }
}

run "the_budget_is_the_given_one_and_tells_the_topic" {
  command = plan

  assert {
    condition     = "${aws_budgets_budget.month[0].budget_type} ${aws_budgets_budget.month[0].time_unit} ${aws_budgets_budget.month[0].limit_amount} ${aws_budgets_budget.month[0].limit_unit}" == "COST MONTHLY 400000 USD"
    error_message = "the budget must be the month's cost in USD"
  }

  assert {
    condition = toset([
      for notice in aws_budgets_budget.month[0].notification : "${notice.notification_type} ${notice.threshold} ${join(",", notice.subscriber_sns_topic_arns)}"
      ]) == toset([
      "ACTUAL 80 arn:aws:sns:us-west-2:111122223333:hawser-test-alerts",
      "ACTUAL 100 arn:aws:sns:us-west-2:111122223333:hawser-test-alerts",
      "FORECASTED 100 arn:aws:sns:us-west-2:111122223333:hawser-test-alerts",
    ])
    error_message = "the topic must be told at 80 %, at 100 %, and when the forecast passes the budget"
  }
}

run "no_budget_where_aws_has_none" {
  command = plan

  providers = {
    aws = aws.gov
  }

  variables {
    region = "us-gov-east-1"
    cluster = {
      name                = "hawser-test"
      kubernetes_version  = "1.35"
      public_access_cidrs = []
      admin_principals    = ["arn:aws-us-gov:iam::111122223333:role/platform-admin"]
    }
  }

  assert {
    condition     = length(aws_budgets_budget.month) == 0
    error_message = "AWS Budgets has no endpoint in aws-us-gov"
  }

  assert {
    condition     = output.alerts_topic_arn == "arn:aws-us-gov:sns:us-gov-east-1:111122223333:hawser-test-alerts"
    error_message = "alarms need their topic there too"
  }
}

run "the_logs_of_container_insights_are_encrypted_and_end" {
  command = plan

  assert {
    condition = toset([for group in aws_cloudwatch_log_group.container_insights : "${group.name} ${group.retention_in_days}"]) == toset([
      for part in ["application", "dataplane", "host", "performance"] : "/aws/containerinsights/hawser-test/${part} 365"
    ])
    error_message = "the add-on must find its groups made already"
  }
}

run "refuses_tags_that_iam_takes_for_one" {
  command = plan

  variables {
    tags = { Environment = "production" }
  }

  expect_failures = [var.tags]
}

run "refuses_a_budget_of_nothing" {
  command = plan

  variables {
    alerts = { emails = [], monthly_budget_usd = 0 }
  }

  expect_failures = [var.alerts]
}

run "refuses_an_address_that_is_none" {
  command = plan

  variables {
    alerts = { emails = ["on-call"], monthly_budget_usd = 1 }
  }

  expect_failures = [var.alerts]
}

run "refuses_an_address_given_twice" {
  command = plan

  variables {
    alerts = { emails = ["on-call@example.com", "On-Call@example.com"], monthly_budget_usd = 1 }
  }

  expect_failures = [var.alerts]
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
      "aps-workspaces", "ec2", "ec2messages", "ecr.api", "ecr.dkr", "eks", "eks-auth", "elasticloadbalancing", "fsx", "logs", "monitoring", "sagemaker.api", "ssm", "ssmmessages", "sts",
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
