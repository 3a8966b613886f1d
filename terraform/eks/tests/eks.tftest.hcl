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
  environment = "test"
  account_id  = "111122223333"
  region      = "us-west-2"
  tags        = { team = "inference" }

  node_subnet_ids           = { usw2-az1 = "subnet-0a", usw2-az2 = "subnet-0b" }
  cluster_name              = "hawser-test"
  cluster_security_group_id = "sg-0cluster"
  efa_security_group_id     = "sg-0efa"
  data_kms_key_arn          = "arn:aws:kms:us-west-2:111122223333:key/11111111-2222-3333-4444-555555555555"
  vpc_id                    = "vpc-0a"
  alerts_topic_arn          = "arn:aws:sns:us-west-2:111122223333:hawser-test-alerts"
  host_log_group            = "/aws/containerinsights/hawser-test/host"

  alarms = {
    engine = {
      namespace           = "ContainerInsights/Prometheus"
      queue_metric        = "vllm:num_requests_waiting"
      queue_length        = 50
      first_token_metric  = "vllm:time_to_first_token_seconds"
      first_token_seconds = 30
    }
  }

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

run "without_a_lustre_cache_there_is_none" {
  command = plan

  assert {
    condition     = output.caches == {}
    error_message = "a file system nobody asked for is paid for all the same"
  }

  assert {
    condition     = output.alarm_names == tolist(["hawser-test-eks-first-token-p99", "hawser-test-eks-gpu-xid", "hawser-test-eks-nodes-failed", "hawser-test-eks-queue-length"])
    error_message = "the stack must have its alarms"
  }
}

run "a_lustre_cache_lies_in_each_zone_with_a_pool" {
  command = plan

  variables {
    cache = {
      weights_uri           = "s3://hawser-weights-111122223333-us-west-2/kimi-k3"
      size_gib              = 2400
      throughput_mb_per_tib = 1000
    }
  }

  assert {
    condition     = toset(keys(output.caches)) == toset(["usw2-az1", "usw2-az2"])
    error_message = "each zone with a pool must have its own file system"
  }
}

run "an_engine_without_metrics_has_no_alarms_of_its_own" {
  command = plan

  variables {
    alarms = {}
  }

  assert {
    condition     = output.alarm_names == tolist(["hawser-test-eks-gpu-xid", "hawser-test-eks-nodes-failed"])
    error_message = "nodes and GPUs are watched whatever the engine"
  }
}

run "refuses_tags_that_iam_takes_for_one" {
  command = plan

  variables {
    tags = { Environment = "production" }
  }

  expect_failures = [var.tags]
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

run "refuses_upstream_values_that_aws_would_refuse_late" {
  command = plan

  variables {
    node_subnet_ids           = { usw2-az1 = "10.40.0.0/20", usw2-az2 = "subnet-0b" }
    cluster_security_group_id = "sg-0one"
    efa_security_group_id     = "sg-0one"
  }

  expect_failures = [var.efa_security_group_id, var.node_subnet_ids]
}
