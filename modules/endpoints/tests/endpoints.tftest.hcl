mock_provider "aws" {
  mock_data "aws_partition" {
    defaults = { partition = "aws" }
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
  name            = "hawser-prod"
  account_id      = "111122223333"
  region          = "us-west-2"
  vpc_id          = "vpc-0123456789abcdef0"
  vpc_cidr        = "10.40.0.0/16"
  route_table_ids = ["rtb-0123456789abcdef0", "rtb-0123456789abcdef1"]
}

run "s3_alone_without_interface_services" {
  command = plan

  assert {
    condition     = aws_vpc_endpoint.s3.vpc_endpoint_type == "Gateway" && aws_vpc_endpoint.s3.service_name == "com.amazonaws.us-west-2.s3" && length(aws_vpc_endpoint.s3.route_table_ids) == 2
    error_message = "the S3 endpoint must be a gateway on every given route table"
  }

  assert {
    condition     = length(aws_vpc_endpoint.interface) == 0 && length(aws_security_group.interface) == 0
    error_message = "without interface services there must be no endpoint and no group to pay for or to review"
  }
}

run "interface_endpoints_answer_the_vpc_only" {
  command = plan

  variables {
    interface_services = ["ecr.api", "sts"]
    subnet_ids         = ["subnet-0123456789abcdef0"]
  }

  assert {
    condition     = { for service, endpoint in aws_vpc_endpoint.interface : service => endpoint.service_name } == { "ecr.api" = "com.amazonaws.us-west-2.ecr.api", "sts" = "com.amazonaws.us-west-2.sts" }
    error_message = "each service must have its endpoint in the region"
  }

  assert {
    condition     = alltrue([for endpoint in aws_vpc_endpoint.interface : endpoint.private_dns_enabled])
    error_message = "clients must find the endpoints under the ordinary names"
  }

  assert {
    condition     = aws_vpc_security_group_ingress_rule.https[0].cidr_ipv4 == "10.40.0.0/16" && aws_vpc_security_group_ingress_rule.https[0].from_port == 443 && aws_vpc_security_group_ingress_rule.https[0].to_port == 443
    error_message = "the endpoints must accept HTTPS from the VPC and nothing else"
  }
}

run "s3_policy_names_the_account_and_the_known_buckets" {
  command   = plan
  providers = { aws = aws.offline }
  state_key = "offline"

  assert {
    condition     = [for statement in jsondecode(aws_vpc_endpoint.s3.policy).Statement : try(statement.Condition.StringEquals["aws:ResourceAccount"], "none") if statement.Resource == "*"] == ["111122223333"]
    error_message = "the only statement on all buckets must be held to this account"
  }

  assert {
    condition     = [for statement in jsondecode(aws_vpc_endpoint.s3.policy).Statement : [statement.Action, contains(statement.Resource, "arn:aws:s3:::prod-us-west-2-starport-layer-bucket/*")] if statement.Sid == "ReadKnownBuckets"] == [["s3:GetObject", true]]
    error_message = "the known buckets, image layers among them, must be readable and no more"
  }
}

run "refuses_full_service_names" {
  command = plan

  variables {
    interface_services = ["com.amazonaws.us-west-2.sts"]
    subnet_ids         = ["subnet-0123456789abcdef0"]
  }

  expect_failures = [var.interface_services]
}

run "refuses_interface_services_without_a_subnet" {
  command = plan

  variables {
    interface_services = ["sts"]
  }

  expect_failures = [var.interface_services]
}
