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
  environment           = "test"
  account_id            = "111122223333"
  region                = "us-west-2"
  tags                  = { team = "inference" }
  hyperpod_cluster_name = "hawser-test"
  volume_size_gb        = 500
  addons                = { amazon-sagemaker-hyperpod-inference = "v2.1.0-eksbuild.1" }

  vpc_id                    = "vpc-0a"
  node_subnet_ids           = { usw2-az1 = "subnet-0a", usw2-az2 = "subnet-0b" }
  cluster_name              = "hawser-test"
  cluster_arn               = "arn:aws:eks:us-west-2:111122223333:cluster/hawser-test"
  cluster_security_group_id = "sg-0cluster"
  efa_security_group_id     = "sg-0efa"
  data_kms_key_arn          = "arn:aws:kms:us-west-2:111122223333:key/11111111-2222-3333-4444-555555555555"
  cloudformation_role_arn   = "arn:aws:iam::111122223333:role/hawser-test-cloudformation"
  oidc_provider_arn         = "arn:aws:iam::111122223333:oidc-provider/oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF"
  alerts_topic_arn          = "arn:aws:sns:us-west-2:111122223333:hawser-test-alerts"
  alarms                    = {}

  pools = {
    k3-plan-a = {
      instance_type     = "ml.p6-b300.48xlarge"
      kind              = "training-plan"
      count             = 2
      training_plan_arn = "arn:aws:sagemaker:us-west-2:111122223333:training-plan/k3-plan-a"
      zone_id           = "usw2-az2"
      gpus              = 8
      start             = "2027-01-11T11:30:00Z"
      end               = "2027-02-08T11:30:00Z"
    }
    spare = {
      instance_type = "ml.p5en.48xlarge"
      kind          = "on-demand"
      count         = 1
      zone_id       = "usw2-az1"
      gpus          = 8
    }
  }
}

run "nodes_and_gpus_are_watched" {
  command = plan

  assert {
    condition     = output.alarm_names == tolist(["hawser-test-hyperpod-gpu-xid", "hawser-test-hyperpod-nodes-failed"])
    error_message = "lost nodes and faulty GPUs must be told"
  }
}

run "nothing_is_watched_where_nobody_can_be_told" {
  command = plan

  variables {
    alerts_topic_arn = null
  }

  assert {
    condition     = output.alarm_names == null
    error_message = "an alarm that tells nobody is paid for all the same"
  }
}

# An assertion on an unknown value is an error, so this also proves that the template is in the first plan.
run "template_holds_the_pools" {
  command = plan

  assert {
    condition = [
      for group in jsondecode(module.cluster.template_body).Resources.Cluster.Properties.InstanceGroups :
      "${group.InstanceGroupName} ${group.InstanceType} x ${group.InstanceCount} in ${group.OverrideVpcConfig.Subnets[0]}"
      ] == [
      "k3-plan-a ml.p6-b300.48xlarge x 2 in subnet-0b",
      "spare ml.p5en.48xlarge x 1 in subnet-0a",
    ]
    error_message = "each pool must be one instance group in the subnet of its zone"
  }

  assert {
    condition = toset([
      for group in jsondecode(module.cluster.template_body).Resources.Cluster.Properties.InstanceGroups : group.ExecutionRole
    ]) == toset(["arn:aws:iam::111122223333:role/hawser-test-hyperpod-execution"])
    error_message = "the nodes must have the role that the platform's CloudFormation role may pass"
  }

  assert {
    condition = alltrue([
      for group in jsondecode(module.cluster.template_body).Resources.Cluster.Properties.InstanceGroups :
      startswith(group.LifeCycleConfig.SourceS3Uri, "s3://sagemaker-hawser-test-111122223333-us-west-2/lifecycle/")
    ])
    error_message = "the nodes must find their script in the bucket of this stack"
  }

  assert {
    condition     = jsondecode(module.cluster.template_body).Resources.Cluster.Properties.VpcConfig.SecurityGroupIds == ["sg-0cluster", "sg-0efa"]
    error_message = "the nodes need the cluster's security group for the API server and the EFA group for each other"
  }
}

# The size that `hawser check` reckons with (tooling/hawser/contract/checks/hyperpod.py), for the environment local-hyperpod and with ids
# as long as real ones. Where this fails, measure there again.
run "template_has_the_size_that_is_reckoned_with" {
  command = plan

  variables {
    environment               = "local-hyperpod"
    hyperpod_cluster_name     = "hawser-local-hyperpod"
    node_subnet_ids           = { usw2-az1 = "subnet-0123456789abcdef0", usw2-az2 = "subnet-0123456789abcdef1" }
    cluster_name              = "hawser-local-hyperpod"
    cluster_arn               = "arn:aws:eks:us-west-2:111122223333:cluster/hawser-local-hyperpod"
    cluster_security_group_id = "sg-0123456789abcdef0"
    efa_security_group_id     = "sg-0123456789abcdef1"

    pools = {
      k3-plan-a = {
        instance_type     = "ml.p6-b300.48xlarge"
        kind              = "training-plan"
        count             = 1
        training_plan_arn = "arn:aws:sagemaker:us-west-2:111122223333:training-plan/kimi-k3-example"
        zone_id           = "usw2-az2"
        gpus              = 8
      }
      k3-on-demand = {
        instance_type = "ml.p6-b300.48xlarge"
        kind          = "on-demand"
        count         = 1
        zone_id       = "usw2-az1"
        gpus          = 8
      }
    }
  }

  assert {
    condition     = length(module.cluster.template_body) == 2772
    error_message = "the template has another size than hawser check reckons with: ${length(module.cluster.template_body)} bytes"
  }
}

run "template_with_a_system_group_has_the_size_that_is_reckoned_with" {
  command = plan

  variables {
    environment               = "local-hyperpod"
    hyperpod_cluster_name     = "hawser-local-hyperpod"
    node_subnet_ids           = { usw2-az1 = "subnet-0123456789abcdef0", usw2-az2 = "subnet-0123456789abcdef1" }
    cluster_name              = "hawser-local-hyperpod"
    cluster_arn               = "arn:aws:eks:us-west-2:111122223333:cluster/hawser-local-hyperpod"
    cluster_security_group_id = "sg-0123456789abcdef0"
    efa_security_group_id     = "sg-0123456789abcdef1"

    system_nodes = { instance_type = "ml.m7i.2xlarge", count = 2 }
    addons       = { coredns = null }

    pools = {
      k3-plan-a = {
        instance_type     = "ml.p6-b300.48xlarge"
        kind              = "training-plan"
        count             = 1
        training_plan_arn = "arn:aws:sagemaker:us-west-2:111122223333:training-plan/kimi-k3-example"
        zone_id           = "usw2-az2"
        gpus              = 8
      }
      k3-on-demand = {
        instance_type = "ml.p6-b300.48xlarge"
        kind          = "on-demand"
        count         = 1
        zone_id       = "usw2-az1"
        gpus          = 8
      }
    }
  }

  assert {
    condition     = length(module.cluster.template_body) == 3444
    error_message = "the template has another size than hawser check reckons with: ${length(module.cluster.template_body)} bytes"
  }
}

run "outputs_count_gpus_of_full_pools" {
  command = plan

  assert {
    condition     = output.gpus == { k3-plan-a = 16, spare = 8 }
    error_message = "a pool has count times gpus"
  }
}

run "refuses_tags_that_iam_takes_for_one" {
  command = plan

  variables {
    tags = { Environment = "production" }
  }

  expect_failures = [var.tags]
}

run "refuses_an_ec2_reservation" {
  command = plan

  variables {
    pools = { a = { instance_type = "ml.p6-b300.48xlarge", kind = "capacity-block", count = 1, zone_id = "usw2-az1", gpus = 8 } }
  }

  expect_failures = [var.pools]
}

run "refuses_a_training_plan_without_its_arn" {
  command = plan

  variables {
    pools = { a = { instance_type = "ml.p6-b300.48xlarge", kind = "training-plan", count = 1, zone_id = "usw2-az1", gpus = 8 } }
  }

  expect_failures = [var.pools]
}

run "refuses_upstream_values_that_aws_would_refuse_late" {
  command = plan

  variables {
    node_subnet_ids           = { usw2-az1 = "10.40.0.0/20", usw2-az2 = "subnet-0b" }
    cluster_security_group_id = "sg-0one"
    efa_security_group_id     = "sg-0one"
    vpc_id                    = "my-vpc"
    cloudformation_role_arn   = "my-role"
  }

  expect_failures = [var.cloudformation_role_arn, var.efa_security_group_id, var.node_subnet_ids, var.vpc_id]
}

run "operator_has_its_roles_its_bucket_and_no_keda" {
  command = plan

  assert {
    condition     = local.operator_configuration.keda.enabled == false && local.operator_configuration.alb.enabled && local.operator_configuration.tlsCertificateS3Bucket == "hyperpod-tls-hawser-test-111122223333"
    error_message = "the operator brings its load balancer controller and no KEDA, and puts certificates into our bucket"
  }

  assert {
    condition     = startswith(local.operator_role, "SageMakerHyperPodInference") && startswith(local.certificate_bucket, "hyperpod-tls")
    error_message = "AWS's managed policy knows role and bucket by the beginning of their names"
  }
}

run "load_balancer_controller_changes_only_what_it_made" {
  command = plan

  assert {
    condition = alltrue([
      for statement in jsondecode(data.aws_iam_policy_document.load_balancer.json).Statement :
      alltrue([for action in flatten([statement.Action]) : can(regex(":(Describe|Get|List)", action))])
      if contains(flatten([statement.Resource]), "*")
    ])
    error_message = "on all resources the controller may only look"
  }

  assert {
    condition = alltrue([
      for statement in jsondecode(data.aws_iam_policy_document.load_balancer.json).Statement :
      can(statement.Condition) || statement.Resource == "arn:aws:ec2:us-west-2:111122223333:vpc/vpc-0a"
      if !alltrue([for action in flatten([statement.Action]) : can(regex(":(Describe|Get|List)", action))])
    ])
    error_message = "every change needs a condition: the cluster's tag, the VPC or the service"
  }
}

run "system_nodes_are_a_group_without_gpu_checks" {
  command = plan

  variables {
    system_nodes = { instance_type = "ml.m7i.2xlarge", count = 2 }
    addons       = { coredns = null, metrics-server = null }
  }

  assert {
    condition = [
      for group in jsondecode(module.cluster.template_body).Resources.Cluster.Properties.InstanceGroups :
      [group.InstanceCount, can(group.OnStartDeepHealthChecks), can(group.OverrideVpcConfig), group.KubernetesConfig.Labels] if group.InstanceGroupName == "system"
    ] == [[2, false, false, {}]]
    error_message = "system nodes have no GPU to check and may stand in every zone"
  }

  assert {
    condition     = join(" ", module.addons_on_nodes.names) == "coredns metrics-server"
    error_message = "the system add-ons come with the system nodes"
  }
}

run "refuses_system_addons_that_are_the_platforms" {
  command = plan

  variables {
    addons = { coredns = null }
  }

  expect_failures = [var.addons]
}

run "refuses_system_nodes_without_dns" {
  command = plan

  variables {
    system_nodes = { instance_type = "ml.m7i.2xlarge", count = 2 }
    addons       = { metrics-server = null }
  }

  expect_failures = [var.addons]
}

run "refuses_a_single_system_node_a_pool_of_their_name_and_wrong_places" {
  command = plan

  variables {
    account_id   = "12345"
    region       = "us-west-2a"
    system_nodes = { instance_type = "ml.m7i.2xlarge", count = 1 }
    addons       = { coredns = null }
    pools        = { system = { instance_type = "ml.p6-b300.48xlarge", kind = "on-demand", count = 1, zone_id = "usw2-az1", gpus = 8 } }
  }

  expect_failures = [var.account_id, var.region, var.system_nodes, var.pools]
}
