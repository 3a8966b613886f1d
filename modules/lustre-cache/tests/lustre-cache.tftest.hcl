# The real provider without an account: a plan of this module calls no AWS API.
provider "aws" {
  region                      = "us-west-2"
  access_key                  = "offline"
  secret_key                  = "offline"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
}

variables {
  name                   = "hawser-prod-weights-usw2-az2"
  account_id             = "111122223333"
  region                 = "us-west-2"
  vpc_id                 = "vpc-0a"
  subnet_id              = "subnet-0b"
  node_security_group_id = "sg-0efa"
  kms_key_arn            = "arn:aws:kms:us-west-2:111122223333:key/11111111-2222-3333-4444-555555555555"
  weights_uri            = "s3://hawser-weights-111122223333-us-west-2/kimi-k3"
  size_gib               = 2400
  throughput_mb_per_tib  = 1000
}

run "file_system_is_persistent_encrypted_and_in_the_pools_subnet" {
  command = plan

  assert {
    condition     = "${aws_fsx_lustre_file_system.this.deployment_type} ${aws_fsx_lustre_file_system.this.storage_type} ${aws_fsx_lustre_file_system.this.file_system_type_version}" == "PERSISTENT_2 SSD 2.15"
    error_message = "deployment, storage or version is wrong"
  }

  assert {
    condition     = aws_fsx_lustre_file_system.this.kms_key_id == var.kms_key_arn && aws_fsx_lustre_file_system.this.subnet_ids == tolist(["subnet-0b"])
    error_message = "the file system must be encrypted with the given key and lie in the given subnet"
  }

  assert {
    condition     = aws_fsx_lustre_file_system.this.storage_capacity == 2400 && aws_fsx_lustre_file_system.this.per_unit_storage_throughput == 1000
    error_message = "size and throughput must be those given"
  }

  assert {
    condition     = aws_fsx_lustre_file_system.this.log_configuration[0].destination == "arn:aws:logs:us-west-2:111122223333:log-group:/aws/fsx/hawser-prod-weights-usw2-az2" && aws_cloudwatch_log_group.this.name == "/aws/fsx/hawser-prod-weights-usw2-az2"
    error_message = "failed imports must reach the log group"
  }
}

run "weights_come_from_the_bucket" {
  command = plan

  assert {
    condition     = aws_fsx_data_repository_association.weights.data_repository_path == var.weights_uri && aws_fsx_data_repository_association.weights.batch_import_meta_data_on_create
    error_message = "the files of the bucket must be there from the start"
  }

  assert {
    condition     = one(one(aws_fsx_data_repository_association.weights.s3).auto_import_policy).events == tolist(["NEW", "CHANGED", "DELETED"])
    error_message = "what changes in the bucket must follow"
  }
}

run "only_lustre_between_servers_and_nodes" {
  command = plan

  assert {
    condition = alltrue([
      for rules in [
        aws_vpc_security_group_ingress_rule.lustre, aws_vpc_security_group_egress_rule.lustre,
        aws_vpc_security_group_ingress_rule.nodes, aws_vpc_security_group_egress_rule.nodes,
      ] : toset([for rule in values(rules) : "${rule.ip_protocol} ${rule.from_port}-${rule.to_port}"]) == toset(["tcp 988-988", "tcp 1018-1023"])
    ])
    error_message = "each side must have both port ranges of Lustre, in both directions, and no other"
  }

  assert {
    condition     = alltrue([for rule in concat(values(aws_vpc_security_group_ingress_rule.nodes), values(aws_vpc_security_group_egress_rule.nodes)) : rule.security_group_id == "sg-0efa"])
    error_message = "the nodes' own group must let Lustre in and out"
  }

  assert {
    condition     = { for key, rule in aws_vpc_security_group_ingress_rule.lustre : key => rule.referenced_security_group_id if endswith(key, "-nodes") } == { lnet-nodes = "sg-0efa", lnet2-nodes = "sg-0efa" }
    error_message = "the servers must let in the nodes"
  }
}

run "smallest_size_is_accepted" {
  command = plan

  variables {
    size_gib = 1200
  }

  assert {
    condition     = aws_fsx_lustre_file_system.this.storage_capacity == 1200
    error_message = "1200 GiB is sold"
  }
}

run "refuses_a_size_between_two_that_are_sold" {
  command = plan

  variables {
    size_gib = 3600
  }

  expect_failures = [var.size_gib]
}

run "refuses_no_size" {
  command = plan

  variables {
    size_gib = 0
  }

  expect_failures = [var.size_gib]
}

run "refuses_a_throughput_that_is_not_sold" {
  command = plan

  variables {
    throughput_mb_per_tib = 200
  }

  expect_failures = [var.throughput_mb_per_tib]
}

run "refuses_a_whole_bucket" {
  command = plan

  variables {
    weights_uri = "s3://hawser-weights-111122223333-us-west-2"
  }

  expect_failures = [var.weights_uri]
}

run "refuses_an_alias_for_the_key" {
  command = plan

  variables {
    kms_key_arn = "arn:aws:kms:us-west-2:111122223333:alias/hawser-prod-data"
  }

  expect_failures = [var.kms_key_arn]
}

run "refuses_an_account_that_lost_its_zeros" {
  command = plan

  variables {
    account_id = "12345678"
  }

  expect_failures = [var.account_id]
}

run "refuses_a_name_that_looks_like_an_id" {
  command = plan

  variables {
    name = "sg-weights"
  }

  expect_failures = [var.name]
}
