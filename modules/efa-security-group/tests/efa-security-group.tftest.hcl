mock_provider "aws" {}

variables {
  name     = "hawser-prod-efa"
  vpc_id   = "vpc-0123456789abcdef0"
  vpc_cidr = "10.40.0.0/16"
  egress   = "nat"
}

run "both_self_rules_and_https_through_nat" {
  command = apply

  assert {
    condition     = aws_vpc_security_group_ingress_rule.self.ip_protocol == "-1" && aws_vpc_security_group_ingress_rule.self.referenced_security_group_id == aws_security_group.this.id
    error_message = "EFA needs all protocols from the group itself"
  }

  assert {
    condition     = aws_vpc_security_group_egress_rule.self.ip_protocol == "-1" && aws_vpc_security_group_egress_rule.self.referenced_security_group_id == aws_security_group.this.id
    error_message = "EFA needs all protocols to the group itself"
  }

  assert {
    condition     = aws_vpc_security_group_ingress_rule.self.security_group_id == aws_security_group.this.id && aws_vpc_security_group_egress_rule.self.security_group_id == aws_security_group.this.id
    error_message = "both self rules must belong to the group"
  }

  assert {
    condition     = aws_vpc_security_group_egress_rule.https_anywhere[0].cidr_ipv4 == "0.0.0.0/0" && aws_vpc_security_group_egress_rule.https_anywhere[0].from_port == 443 && aws_vpc_security_group_egress_rule.https_anywhere[0].to_port == 443
    error_message = "through NAT only HTTPS may leave"
  }

  assert {
    condition     = output.id == aws_security_group.this.id
    error_message = "the output must be the id of the group"
  }
}

run "endpoints_allow_the_vpc_and_s3_only" {
  command = plan

  variables {
    egress            = "endpoints"
    s3_prefix_list_id = "pl-68a54001"
  }

  assert {
    condition     = length(aws_vpc_security_group_egress_rule.https_anywhere) == 0
    error_message = "nothing may be allowed to leave for the internet"
  }

  assert {
    condition     = aws_vpc_security_group_egress_rule.https_vpc[0].cidr_ipv4 == "10.40.0.0/16" && aws_vpc_security_group_egress_rule.https_s3[0].prefix_list_id == "pl-68a54001"
    error_message = "the VPC and the prefix list of S3 must be reachable"
  }
}

run "refuses_endpoints_without_the_prefix_list" {
  command = plan

  variables {
    egress = "endpoints"
  }

  expect_failures = [var.s3_prefix_list_id]
}

run "refuses_an_unknown_egress" {
  command = plan

  variables {
    egress            = "internet"
    s3_prefix_list_id = "pl-68a54001"
  }

  expect_failures = [var.egress]
}
