mock_provider "aws" {
  mock_data "aws_partition" {
    defaults = { partition = "aws" }
  }

  mock_data "aws_iam_policy_document" {
    defaults = { json = "{\"Version\":\"2012-10-17\",\"Statement\":[]}" }
  }

  mock_resource "aws_iam_role" {
    defaults = { arn = "arn:aws:iam::111122223333:role/mocked" }
  }

  mock_resource "aws_launch_template" {
    defaults = { id = "lt-0123456789abcdef0" }
  }
}

variables {
  name               = "hawser-prod-k3-block-a"
  node_group_name    = "k3-block-a"
  cluster_name       = "hawser-prod"
  account_id         = "111122223333"
  region             = "us-west-2"
  instance_type      = "p6-b300.48xlarge"
  subnet_id          = "subnet-0a"
  security_group_ids = ["sg-0cluster", "sg-0efa"]
  kms_key_arn        = "arn:aws:kms:us-west-2:111122223333:key/11111111-2222-3333-4444-555555555555"
  labels             = { "hawser/pool" = "k3-block-a" }
  tags               = { team = "inference" }

  capacity = {
    kind           = "capacity-block"
    count          = 2
    reservation_id = "cr-0123456789abcdef0"
    start          = "2027-01-11T11:30:00Z"
    end            = "2027-02-08T11:30:00Z"
  }

  interfaces = concat(
    [{ card = 0, device = 0, type = "interface" }],
    [for card in range(1, 17) : { card = card, device = 0, type = "efa-only" }],
  )
}

run "capacity_block_waits_empty_for_its_start" {
  assert {
    condition     = length(aws_eks_node_group.steady) == 0
    error_message = "a Capacity Block pool must not have the node group with a fixed size"
  }

  assert {
    condition     = one(aws_eks_node_group.scheduled).capacity_type == "CAPACITY_BLOCK" && one(aws_eks_node_group.scheduled).ami_type == "AL2023_x86_64_NVIDIA"
    error_message = "capacity type or AMI type is wrong"
  }

  assert {
    condition     = one(aws_eks_node_group.scheduled).scaling_config[0] == { min_size = 0, max_size = 2, desired_size = 0 }
    error_message = "a Capacity Block pool must begin with 0 of at most 2 nodes"
  }

  assert {
    condition     = one(aws_eks_node_group.scheduled).subnet_ids == toset(["subnet-0a"])
    error_message = "the node group must have exactly the subnet of the reservation's zone"
  }

  assert {
    condition     = [for t in one(aws_eks_node_group.scheduled).taint : "${t.key}=${t.value}:${t.effect}"] == ["nvidia.com/gpu=true:NO_SCHEDULE"]
    error_message = "only pods that tolerate nvidia.com/gpu may run here"
  }

  assert {
    condition     = one(aws_eks_node_group.scheduled).node_repair_config[0].enabled
    error_message = "node repair must be on"
  }

  assert {
    condition = one(aws_eks_node_group.scheduled).labels == tomap({
      "hawser/pool"                   = "k3-block-a"
      "nvidia.com/gpu.present"        = "true"
      "vpc.amazonaws.com/efa.present" = "true"
    })
    error_message = "labels are wrong"
  }
}

run "launch_template_names_the_block_and_nothing_else" {
  assert {
    condition     = aws_launch_template.this.name == "hawser-prod-k3-block-a" && aws_launch_template.this.instance_type == "p6-b300.48xlarge"
    error_message = "name and instance type belong into the template"
  }

  assert {
    condition     = aws_launch_template.this.instance_market_options[0].market_type == "capacity-block"
    error_message = "the market type must be capacity-block"
  }

  assert {
    condition     = aws_launch_template.this.capacity_reservation_specification[0].capacity_reservation_target[0].capacity_reservation_id == "cr-0123456789abcdef0"
    error_message = "the template must target the reservation"
  }

  assert {
    condition     = length(aws_launch_template.this.placement) == 0
    error_message = "a Capacity Block must not get a placement group"
  }

  assert {
    condition     = aws_launch_template.this.metadata_options[0].http_tokens == "required" && aws_launch_template.this.metadata_options[0].http_put_response_hop_limit == 1
    error_message = "the metadata service must ask for tokens and end on the node"
  }

  assert {
    condition     = aws_launch_template.this.block_device_mappings[0].ebs[0].encrypted == "true" && aws_launch_template.this.block_device_mappings[0].ebs[0].kms_key_id == var.kms_key_arn
    error_message = "the root volume must be encrypted with the given key"
  }

  assert {
    condition     = [for i in aws_launch_template.this.network_interfaces : "${i.network_card_index}/${i.device_index} ${i.interface_type}"] == concat(["0/0 interface"], [for card in range(1, 17) : "${card}/0 efa-only"])
    error_message = "the interfaces must be those given, in their order"
  }

  assert {
    condition     = alltrue([for i in aws_launch_template.this.network_interfaces : i.associate_public_ip_address == "false" && i.security_groups == toset(["sg-0cluster", "sg-0efa"])])
    error_message = "every interface must have both groups and no public address"
  }

  assert {
    condition     = strcontains(base64decode(aws_launch_template.this.user_data), "strategy: RAID0")
    error_message = "the local disks must become one array"
  }
}

run "schedules_open_and_close_the_block" {
  assert {
    condition = { for k, s in aws_scheduler_schedule.this : k => "${s.name} ${s.schedule_expression} ${s.schedule_expression_timezone}" } == {
      start = "hawser-prod-k3-block-a-start at(2027-01-11T11:30:00) UTC"
      end   = "hawser-prod-k3-block-a-end at(2027-02-08T10:30:00) UTC"
    }
    error_message = "the schedules must fire at the start and one hour before the end"
  }

  assert {
    condition = { for k, s in aws_scheduler_schedule.this : k => jsondecode(s.target[0].input) } == {
      start = { ClusterName = "hawser-prod", NodegroupName = "k3-block-a", ScalingConfig = { MinSize = 0, MaxSize = 2, DesiredSize = 2 } }
      end   = { ClusterName = "hawser-prod", NodegroupName = "k3-block-a", ScalingConfig = { MinSize = 0, MaxSize = 2, DesiredSize = 0 } }
    }
    error_message = "the schedules must set this node group to 2 and to 0 nodes"
  }

  assert {
    condition     = alltrue([for s in aws_scheduler_schedule.this : s.flexible_time_window[0].mode == "OFF" && s.kms_key_arn == var.kms_key_arn])
    error_message = "the schedules must be exact and encrypted"
  }

  assert {
    condition     = data.aws_iam_policy_document.schedule.statement[0].actions == toset(["eks:UpdateNodegroupConfig"]) && data.aws_iam_policy_document.schedule.statement[0].resources == toset(["arn:aws:eks:us-west-2:111122223333:nodegroup/hawser-prod/k3-block-a/*"])
    error_message = "the schedules may resize this node group and no other"
  }

  assert {
    condition     = one(data.aws_iam_policy_document.schedule_trust.statement[0].condition).variable == "aws:SourceAccount"
    error_message = "only schedules of this account may take the role"
  }
}

run "on_demand_pool_has_its_size_always" {
  variables {
    instance_type = "g6e.xlarge"
    capacity      = { kind = "on-demand", count = 3 }
    interfaces    = [{ card = 0, device = 0, type = "interface" }]
  }

  assert {
    condition     = length(aws_eks_node_group.scheduled) == 0 && length(aws_scheduler_schedule.this) == 0 && length(aws_iam_role.schedule) == 0
    error_message = "only a Capacity Block has schedules"
  }

  assert {
    condition     = one(aws_eks_node_group.steady).capacity_type == "ON_DEMAND" && one(aws_eks_node_group.steady).scaling_config[0] == { min_size = 3, max_size = 3, desired_size = 3 }
    error_message = "an on-demand pool must always have 3 nodes"
  }

  assert {
    condition     = length(aws_launch_template.this.instance_market_options) == 0 && length(aws_launch_template.this.capacity_reservation_specification) == 0
    error_message = "on-demand needs neither a market type nor a reservation"
  }

  assert {
    condition     = !contains(keys(one(aws_eks_node_group.steady).labels), "vpc.amazonaws.com/efa.present")
    error_message = "a node without EFA must not carry the EFA label"
  }
}

run "odcr_pool_targets_its_reservation" {
  variables {
    instance_type = "p5en.48xlarge"
    capacity      = { kind = "odcr", count = 1, reservation_id = "cr-0123456789abcdef0" }
    interfaces = concat(
      [{ card = 0, device = 0, type = "interface" }, { card = 0, device = 1, type = "efa-only" }],
      [for card in range(1, 16) : { card = card, device = 0, type = "efa-only" }],
    )
  }

  assert {
    condition     = length(aws_launch_template.this.instance_market_options) == 0 && aws_launch_template.this.capacity_reservation_specification[0].capacity_reservation_target[0].capacity_reservation_id == "cr-0123456789abcdef0"
    error_message = "a targeted reservation is used at the on-demand market"
  }

  assert {
    condition     = one(aws_eks_node_group.steady).capacity_type == "ON_DEMAND"
    error_message = "a targeted reservation is on-demand capacity"
  }
}

run "refuses_a_training_plan" {
  command = plan

  variables {
    capacity = { kind = "training-plan", count = 1 }
  }

  expect_failures = [var.capacity]
}

run "refuses_a_block_without_its_reservation" {
  command = plan

  variables {
    capacity = { kind = "capacity-block", count = 1, start = "2027-01-11T11:30:00Z", end = "2027-02-08T11:30:00Z" }
  }

  expect_failures = [var.capacity]
}

run "refuses_a_time_with_an_offset" {
  command = plan

  variables {
    capacity = { kind = "capacity-block", count = 1, reservation_id = "cr-0123456789abcdef0", start = "2027-01-11T11:30:00+02:00", end = "2027-02-08T11:30:00Z" }
  }

  expect_failures = [var.capacity]
}

run "refuses_a_block_of_one_hour" {
  command = plan

  variables {
    capacity = { kind = "capacity-block", count = 1, reservation_id = "cr-0123456789abcdef0", start = "2027-01-11T11:30:00Z", end = "2027-01-11T12:30:00Z" }
  }

  expect_failures = [var.capacity]
}

run "refuses_dates_on_demand" {
  command = plan

  variables {
    capacity = { kind = "on-demand", count = 1, start = "2027-01-11T11:30:00Z" }
  }

  expect_failures = [var.capacity]
}

run "refuses_half_a_node" {
  command = plan

  variables {
    capacity = { kind = "on-demand", count = 0.5 }
  }

  expect_failures = [var.capacity]
}

run "refuses_interfaces_without_a_primary" {
  command = plan

  variables {
    interfaces = [{ card = 0, device = 1, type = "efa-only" }]
  }

  expect_failures = [var.interfaces]
}

run "refuses_an_interface_named_twice" {
  command = plan

  variables {
    interfaces = [
      { card = 0, device = 0, type = "interface" },
      { card = 1, device = 0, type = "efa-only" },
      { card = 1, device = 0, type = "efa-only" },
    ]
  }

  expect_failures = [var.interfaces]
}

run "refuses_a_sagemaker_instance_type" {
  command = plan

  variables {
    instance_type = "ml.p6-b300.48xlarge"
  }

  expect_failures = [var.instance_type]
}

run "refuses_a_name_that_makes_roles_too_long" {
  command = plan

  variables {
    name = "hawser-production-europe-west-k3-capacity-block-january-2027"
  }

  expect_failures = [var.name]
}

run "refuses_a_gap_between_cards" {
  command = plan

  variables {
    interfaces = [
      { card = 0, device = 0, type = "interface" },
      { card = 2, device = 0, type = "efa-only" },
    ]
  }

  expect_failures = [var.interfaces]
}

run "refuses_an_interface_of_type_efa" {
  command = plan

  variables {
    interfaces = [
      { card = 0, device = 0, type = "interface" },
      { card = 1, device = 0, type = "efa" },
    ]
  }

  expect_failures = [var.interfaces]
}

run "refuses_a_block_for_a_reservation_id" {
  command = plan

  variables {
    capacity = { kind = "capacity-block", count = 1, reservation_id = "cb-0123456789abcdef0", start = "2027-01-11T11:30:00Z", end = "2027-02-08T11:30:00Z" }
  }

  expect_failures = [var.capacity]
}

run "refuses_a_node_group_name_with_a_dot" {
  command = plan

  variables {
    node_group_name = "k3.block"
  }

  expect_failures = [var.node_group_name]
}

run "refuses_an_arn_for_the_cluster" {
  command = plan

  variables {
    cluster_name = "arn:aws:eks:us-west-2:111122223333:cluster/hawser-prod"
  }

  expect_failures = [var.cluster_name]
}

run "refuses_an_account_that_lost_its_zeros" {
  command = plan

  variables {
    account_id = "12345678"
  }

  expect_failures = [var.account_id]
}

run "refuses_a_zone_for_the_region" {
  command = plan

  variables {
    region = "us-west-2b"
  }

  expect_failures = [var.region]
}

run "refuses_two_subnets_in_one_text" {
  command = plan

  variables {
    subnet_id = "subnet-0a,subnet-0b"
  }

  expect_failures = [var.subnet_id]
}

run "refuses_six_security_groups" {
  command = plan

  variables {
    security_group_ids = ["sg-01", "sg-02", "sg-03", "sg-04", "sg-05", "sg-06"]
  }

  expect_failures = [var.security_group_ids]
}

run "refuses_the_name_of_a_security_group" {
  command = plan

  variables {
    security_group_ids = ["default"]
  }

  expect_failures = [var.security_group_ids]
}

run "refuses_an_alias_for_the_key" {
  command = plan

  variables {
    kms_key_arn = "arn:aws:kms:us-west-2:111122223333:alias/hawser-prod-data"
  }

  expect_failures = [var.kms_key_arn]
}

run "refuses_a_label_that_eks_keeps" {
  command = plan

  variables {
    labels = { "eks.amazonaws.com/nodegroup" = "k3" }
  }

  expect_failures = [var.labels]
}

run "refuses_a_label_with_spaces" {
  command = plan

  variables {
    labels = { "hawser/pool" = "k3 block a" }
  }

  expect_failures = [var.labels]
}

run "refuses_a_tag_that_aws_keeps" {
  command = plan

  variables {
    tags = { "aws:cost" = "k3" }
  }

  expect_failures = [var.tags]
}
