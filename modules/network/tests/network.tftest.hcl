mock_provider "aws" {
  mock_data "aws_partition" {
    defaults = { partition = "aws" }
  }

  mock_resource "aws_cloudwatch_log_group" {
    defaults = { arn = "arn:aws:logs:us-west-2:111122223333:log-group:/aws/vpc/hawser-prod/flow-logs" }
  }

  mock_resource "aws_iam_role" {
    defaults = { arn = "arn:aws:iam::111122223333:role/hawser-prod-flow-logs" }
  }

  mock_data "aws_iam_policy_document" {
    defaults = { json = "{\"Version\":\"2012-10-17\",\"Statement\":[]}" }
  }
}

# For the policies: the real provider, which computes documents without calling AWS.
provider "aws" {
  alias                       = "offline"
  region                      = "us-west-2"
  access_key                  = "offline"
  secret_key                  = "offline"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
}

variables {
  name                  = "hawser-prod"
  account_id            = "111122223333"
  region                = "us-west-2"
  vpc_cidr              = "10.40.0.0/16"
  node_subnets          = { usw2-az1 = "10.40.0.0/20", usw2-az2 = "10.40.16.0/20" }
  control_plane_subnets = { usw2-az1 = "10.40.240.0/27", usw2-az2 = "10.40.240.32/27" }
  public_subnets        = { usw2-az2 = "10.40.250.0/26" }
  egress                = "nat"
  kms_key_arn           = "arn:aws:kms:us-west-2:111122223333:key/0b1c2d3e-0000-4000-8000-000000000000"
}

run "subnets_stand_in_zone_ids" {
  command = plan

  assert {
    condition     = tomap({ for zone, subnet in aws_subnet.node : subnet.availability_zone_id => subnet.cidr_block }) == var.node_subnets
    error_message = "each node subnet must stand in the zone of its key"
  }

  assert {
    condition     = alltrue([for subnet in aws_subnet.node : subnet.tags["kubernetes.io/role/internal-elb"] == "1"])
    error_message = "internal load balancers must find the node subnets"
  }

  assert {
    condition     = alltrue([for subnet in aws_subnet.public : !contains(keys(subnet.tags), "kubernetes.io/role/elb")])
    error_message = "no controller may put a load balancer into the public subnets"
  }

  assert {
    condition     = aws_vpc.this.enable_dns_support && aws_vpc.this.enable_dns_hostnames
    error_message = "private names of endpoints need both DNS switches"
  }
}

run "every_node_subnet_leaves_through_nat" {
  command = apply

  assert {
    condition     = { for zone, route in aws_route.node_nat : zone => route.nat_gateway_id } == { usw2-az1 = aws_nat_gateway.this["usw2-az2"].id, usw2-az2 = aws_nat_gateway.this["usw2-az2"].id }
    error_message = "a zone without a gateway must take the first one"
  }

  assert {
    condition     = alltrue([for association in aws_route_table_association.control_plane : association.route_table_id == aws_route_table.control_plane.id])
    error_message = "control-plane subnets must keep their own table, which has no way out"
  }

  assert {
    condition     = length(output.private_route_table_ids) == 3 && keys(output.node_subnet_ids) == ["usw2-az1", "usw2-az2"]
    error_message = "two node tables, one control-plane table, and a subnet id for each zone"
  }
}

run "endpoints_leave_no_way_to_the_internet" {
  command = plan

  variables {
    egress         = "endpoints"
    public_subnets = {}
  }

  assert {
    condition     = length(aws_internet_gateway.this) + length(aws_nat_gateway.this) + length(aws_eip.nat) + length(aws_route.node_nat) + length(aws_route.public_internet) + length(aws_subnet.public) == 0
    error_message = "a network with endpoints only must have no gateway, no address and no default route"
  }
}

run "flow_log_role_writes_one_group" {
  command   = plan
  providers = { aws = aws.offline }
  state_key = "offline"

  assert {
    condition     = one(jsondecode(aws_iam_role_policy.flow_logs.policy).Statement).Resource == "arn:aws:logs:us-west-2:111122223333:log-group:/aws/vpc/hawser-prod/flow-logs:*"
    error_message = "the role must be held to the log group of this network"
  }

  assert {
    condition     = one(jsondecode(aws_iam_role.flow_logs.assume_role_policy).Statement).Condition.StringEquals["aws:SourceAccount"] == "111122223333"
    error_message = "only flow logs of this account may use the role"
  }

  assert {
    condition     = aws_cloudwatch_log_group.flow_logs.kms_key_id == var.kms_key_arn && aws_flow_log.this.traffic_type == "ALL"
    error_message = "accepted and rejected traffic must be logged, encrypted"
  }
}

run "refuses_zone_names" {
  command = plan

  variables {
    node_subnets   = { us-west-2a = "10.40.0.0/20" }
    public_subnets = { us-west-2a = "10.40.250.0/26" }
  }

  expect_failures = [var.node_subnets, var.public_subnets]
}

run "refuses_small_and_foreign_ranges" {
  command = plan

  variables {
    node_subnets          = { usw2-az1 = "10.41.0.0/24" }
    control_plane_subnets = { usw2-az1 = "10.40.240.0/28" }
  }

  expect_failures = [var.node_subnets, var.control_plane_subnets]
}

# Its first address is the VPC's.
run "refuses_a_subnet_larger_than_the_vpc" {
  command = plan

  variables {
    node_subnets = { usw2-az1 = "10.40.0.0/12" }
  }

  expect_failures = [var.node_subnets]
}

run "refuses_a_public_subnet_that_aws_does_not_make" {
  command = plan

  variables {
    public_subnets = { usw2-az1 = "10.40.250.0/29" }
  }

  expect_failures = [var.public_subnets]
}

run "refuses_public_subnets_without_nat" {
  command = plan

  variables {
    egress = "endpoints"
  }

  expect_failures = [var.public_subnets]
}

run "refuses_subnets_that_share_addresses" {
  command = plan

  variables {
    control_plane_subnets = { usw2-az1 = "10.40.16.32/27", usw2-az2 = "10.40.240.32/27" }
  }

  expect_failures = [aws_vpc.this]
}

run "refuses_what_is_no_network_and_no_key" {
  command = plan

  variables {
    name        = "1-network"
    account_id  = "12345"
    vpc_cidr    = "10.40.0.0"
    egress      = "internet"
    kms_key_arn = "alias/hawser-prod-data"
  }

  expect_failures = [var.name, var.account_id, var.vpc_cidr, var.egress, var.kms_key_arn]
}
