mock_provider "aws" {
  mock_resource "aws_cloudformation_stack" {
    defaults = {
      outputs = { ClusterArn = "arn:aws:sagemaker:us-west-2:111122223333:cluster/abcdefghijkl" }
    }
  }
}

variables {
  name                    = "hawser-prod"
  eks_cluster_arn         = "arn:aws:eks:us-west-2:111122223333:cluster/hawser-prod"
  node_subnet_ids         = { usw2-az1 = "subnet-0b", usw2-az2 = "subnet-0a" }
  security_group_ids      = ["sg-0efa", "sg-0cluster"]
  volume_size_gb          = 500
  kms_key_arn             = "arn:aws:kms:us-west-2:111122223333:key/11111111-2222-3333-4444-555555555555"
  lifecycle_bucket        = "sagemaker-hawser-prod-111122223333-us-west-2"
  execution_role_arn      = "arn:aws:iam::111122223333:role/hawser-prod-hyperpod-execution"
  cloudformation_role_arn = "arn:aws:iam::111122223333:role/hawser-prod-cloudformation"
  tags                    = { team = "inference" }

  groups = {
    k3-plan-b = {
      instance_type     = "ml.p6-b300.48xlarge"
      count             = 2
      zone_id           = "usw2-az2"
      training_plan_arn = "arn:aws:sagemaker:us-west-2:111122223333:training-plan/k3-plan-b"
    }
    k3-on-demand = {
      instance_type = "ml.p5en.48xlarge"
      count         = 1
      zone_id       = "usw2-az1"
      labels        = { "hawser/pool" = "k3-on-demand" }
    }
  }
}

run "template_is_whole_in_the_plan" {
  command = plan

  assert {
    condition     = jsondecode(aws_cloudformation_stack.this.template_body).Resources.Cluster.Type == "AWS::SageMaker::Cluster"
    error_message = "the template must hold one HyperPod cluster"
  }

  assert {
    condition     = !strcontains(aws_cloudformation_stack.this.template_body, "Fn::Sub") && !strcontains(aws_cloudformation_stack.this.template_body, "\"Ref\"") && !can(jsondecode(aws_cloudformation_stack.this.template_body).Parameters)
    error_message = "every id in the template must be a literal"
  }

  assert {
    condition = jsondecode(aws_cloudformation_stack.this.template_body).Resources.Cluster.Properties.VpcConfig == {
      SecurityGroupIds = ["sg-0cluster", "sg-0efa"]
      Subnets          = ["subnet-0a", "subnet-0b"]
    }
    error_message = "the cluster must have all node subnets and both groups, sorted"
  }

  assert {
    condition     = jsondecode(aws_cloudformation_stack.this.template_body).Resources.Cluster.Properties.Orchestrator.Eks.ClusterArn == var.eks_cluster_arn
    error_message = "the cluster must be orchestrated by the EKS cluster"
  }

  assert {
    condition     = jsondecode(aws_cloudformation_stack.this.template_body).Resources.Cluster.Properties.NodeProvisioningMode == "Continuous" && jsondecode(aws_cloudformation_stack.this.template_body).Resources.Cluster.Properties.NodeRecovery == "Automatic"
    error_message = "nodes must be provisioned continuously and recovered automatically"
  }

  assert {
    condition     = jsondecode(aws_cloudformation_stack.this.template_body).Resources.Cluster.Properties.Tags == [{ Key = "SageMaker", Value = "true" }, { Key = "team", Value = "inference" }]
    error_message = "the tags must be sorted by key"
  }
}

run "groups_are_sorted_and_stand_in_their_zone" {
  command = plan

  assert {
    condition     = jsondecode(output.template_body).Resources.Cluster.Properties.InstanceGroups[*].InstanceGroupName == ["k3-on-demand", "k3-plan-b"]
    error_message = "groups must be sorted by name"
  }

  assert {
    condition     = [for g in jsondecode(output.template_body).Resources.Cluster.Properties.InstanceGroups : "${g.InstanceType} ${g.InstanceCount} ${g.OverrideVpcConfig.Subnets[0]}"] == ["ml.p5en.48xlarge 1 subnet-0b", "ml.p6-b300.48xlarge 2 subnet-0a"]
    error_message = "type, count and subnet of the groups are wrong"
  }

  assert {
    condition     = !can(jsondecode(output.template_body).Resources.Cluster.Properties.InstanceGroups[0].TrainingPlanArn) && jsondecode(output.template_body).Resources.Cluster.Properties.InstanceGroups[1].TrainingPlanArn == "arn:aws:sagemaker:us-west-2:111122223333:training-plan/k3-plan-b"
    error_message = "only the group with a training plan may name one"
  }

  assert {
    condition = alltrue([
      for g in jsondecode(output.template_body).Resources.Cluster.Properties.InstanceGroups :
      g.ExecutionRole == var.execution_role_arn && alltrue([for s in g.InstanceStorageConfigs : s.EbsVolumeConfig.VolumeKmsKeyId == var.kms_key_arn])
    ])
    error_message = "every group must have the execution role, and both volumes the key"
  }

  assert {
    condition     = alltrue([for g in jsondecode(output.template_body).Resources.Cluster.Properties.InstanceGroups : !can(g.KubernetesConfig.Taints)])
    error_message = "deep health checks do not go together with taints"
  }

  assert {
    condition     = jsondecode(output.template_body).Resources.Cluster.Properties.InstanceGroups[0].KubernetesConfig.Labels == { "hawser/pool" = "k3-on-demand", "nvidia.com/gpu.present" = "true" }
    error_message = "labels are wrong"
  }
}

run "script_has_its_hash_in_its_address" {
  command = plan

  assert {
    condition     = aws_s3_object.on_create.key == "lifecycle/${substr(filesha256("lifecycle/on_create.sh"), 0, 16)}/on_create.sh"
    error_message = "a changed script must get another key"
  }

  assert {
    condition     = alltrue([for g in jsondecode(output.template_body).Resources.Cluster.Properties.InstanceGroups : "${g.LifeCycleConfig.SourceS3Uri}/${g.LifeCycleConfig.OnCreate}" == "s3://${aws_s3_object.on_create.bucket}/${aws_s3_object.on_create.key}"])
    error_message = "the groups must run the uploaded script"
  }

  assert {
    condition     = !can(regex("(curl|wget|https?://|aws s3)", file(aws_s3_object.on_create.source)))
    error_message = "a node must not download anything when it boots"
  }
}

run "stack_cannot_replace_or_delete_the_cluster" {
  assert {
    condition = anytrue([
      for s in jsondecode(aws_cloudformation_stack.this.policy_body).Statement :
      s.Effect == "Deny" && s.Resource == "LogicalResourceId/Cluster" && toset(flatten([s.Action])) == toset(["Update:Delete", "Update:Replace"])
    ])
    error_message = "the stack policy must deny replacing and deleting the cluster"
  }

  assert {
    condition     = aws_cloudformation_stack.this.iam_role_arn == var.cloudformation_role_arn
    error_message = "the stack must act with its service role"
  }

  assert {
    condition     = aws_cloudformation_stack.this.on_failure == "DELETE" && aws_cloudformation_stack.this.timeout_in_minutes == 720
    error_message = "changing on_failure or timeout_in_minutes would replace every existing cluster"
  }

  assert {
    condition     = output.cluster_arn == "arn:aws:sagemaker:us-west-2:111122223333:cluster/abcdefghijkl"
    error_message = "the ARN must come from the stack"
  }
}

run "refuses_a_template_that_is_too_large" {
  command = plan

  variables {
    groups = { for i in range(60) : "pool-${i}" => { instance_type = "ml.p6-b300.48xlarge", count = 1, zone_id = "usw2-az1" } }
  }

  expect_failures = [aws_cloudformation_stack.this]
}

run "refuses_a_name_over_63_characters" {
  command = plan

  variables {
    name = "hawser-production-of-the-whole-inference-platform-in-us-west-2-aa"
  }

  expect_failures = [var.name]
}

run "refuses_a_group_in_a_zone_without_subnet" {
  command = plan

  variables {
    groups = { a = { instance_type = "ml.p6-b300.48xlarge", count = 1, zone_id = "usw2-az4" } }
  }

  expect_failures = [var.groups]
}

run "refuses_an_ec2_instance_type" {
  command = plan

  variables {
    groups = { a = { instance_type = "p6-b300.48xlarge", count = 1, zone_id = "usw2-az1" } }
  }

  expect_failures = [var.groups]
}

run "refuses_a_capacity_reservation_as_training_plan" {
  command = plan

  variables {
    groups = { a = { instance_type = "ml.p6-b300.48xlarge", count = 1, zone_id = "usw2-az1", training_plan_arn = "cr-0123456789abcdef0" } }
  }

  expect_failures = [var.groups]
}

run "refuses_a_bucket_that_nodes_cannot_read" {
  command = plan

  variables {
    lifecycle_bucket = "hawser-prod-lifecycle"
  }

  expect_failures = [var.lifecycle_bucket]
}

run "refuses_a_volume_over_16_tib" {
  command = plan

  variables {
    volume_size_gb = 20000
  }

  expect_failures = [var.volume_size_gb]
}

run "nodes_without_gpus_have_no_gpu_checks_and_any_zone" {
  command = plan

  variables {
    groups = { system = { instance_type = "ml.m7i.2xlarge", count = 2, accelerated = false } }
  }

  assert {
    condition = [
      for g in jsondecode(output.template_body).Resources.Cluster.Properties.InstanceGroups :
      [can(g.OnStartDeepHealthChecks), can(g.OverrideVpcConfig), g.KubernetesConfig.Labels]
    ] == [[false, false, {}]]
    error_message = "a group without GPUs has nothing to check; without a zone it uses every node subnet"
  }
}

run "refuses_a_training_plan_without_its_zone" {
  command = plan

  variables {
    groups = { a = { instance_type = "ml.p6-b300.48xlarge", count = 1, training_plan_arn = "arn:aws:sagemaker:us-west-2:111122223333:training-plan/a" } }
  }

  expect_failures = [var.groups]
}

run "refuses_half_a_node" {
  command = plan

  variables {
    groups = { a = { instance_type = "ml.p6-b300.48xlarge", count = 1.5, zone_id = "usw2-az1" } }
  }

  expect_failures = [var.groups]
}

run "refuses_more_labels_than_a_node_may_have" {
  command = plan

  variables {
    groups = { a = { instance_type = "ml.p6-b300.48xlarge", count = 1, zone_id = "usw2-az1", labels = { for i in range(50) : "hawser/label-${i}" => "x" } } }
  }

  expect_failures = [var.groups]
}

run "refuses_a_group_that_ends_with_a_hyphen" {
  command = plan

  variables {
    groups = { "a-" = { instance_type = "ml.p6-b300.48xlarge", count = 1, zone_id = "usw2-az1" } }
  }

  expect_failures = [var.groups]
}

run "refuses_no_group_at_all" {
  command = plan

  variables {
    groups = {}
  }

  expect_failures = [var.groups]
}

run "refuses_ids_that_are_no_arns" {
  command = plan

  variables {
    eks_cluster_arn         = "hawser-prod"
    kms_key_arn             = "alias/hawser-prod-data"
    execution_role_arn      = "hawser-prod-hyperpod-execution"
    cloudformation_role_arn = "hawser-prod-cloudformation"
  }

  expect_failures = [var.eks_cluster_arn, var.kms_key_arn, var.execution_role_arn, var.cloudformation_role_arn]
}

run "refuses_six_security_groups_and_no_subnet" {
  command = plan

  variables {
    node_subnet_ids    = {}
    security_group_ids = ["sg-01", "sg-02", "sg-03", "sg-04", "sg-05", "sg-06"]
    groups             = { a = { instance_type = "ml.p6-b300.48xlarge", count = 1 } }
  }

  expect_failures = [var.node_subnet_ids, var.security_group_ids]
}

run "refuses_tags_that_aws_keeps_for_itself" {
  command = plan

  variables {
    tags = { "aws:team" = "inference" }
  }

  expect_failures = [var.tags]
}

run "refuses_more_tags_than_a_cluster_may_have" {
  command = plan

  variables {
    tags = { for i in range(50) : "tag-${i}" => "x" }
  }

  expect_failures = [var.tags]
}
