mock_provider "aws" {
  mock_data "aws_partition" {
    defaults = { partition = "aws" }
  }

  mock_data "aws_iam_policy_document" {
    defaults = { json = "{\"Version\":\"2012-10-17\",\"Statement\":[]}" }
  }

  mock_resource "aws_iam_role" {
    defaults = { arn = "arn:aws:iam::111122223333:role/hawser-prod-control-plane" }
  }

  mock_resource "aws_eks_cluster" {
    defaults = {
      certificate_authority = [{ data = "LS0tLS1CRUdJTg==" }]
      identity              = [{ oidc = [{ issuer = "https://oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF" }] }]
    }
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
  name               = "hawser-prod"
  account_id         = "111122223333"
  region             = "us-west-2"
  kubernetes_version = "1.35"
  subnet_ids         = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
  admin_principals   = ["arn:aws:iam::111122223333:role/platform-admin"]
  kms_key_arn        = "arn:aws:kms:us-west-2:111122223333:key/0b1c2d3e-0000-4000-8000-000000000000"
}

run "private_encrypted_and_logged" {
  command = apply

  assert {
    condition     = one(aws_eks_cluster.this.vpc_config).endpoint_private_access && !one(aws_eks_cluster.this.vpc_config).endpoint_public_access
    error_message = "without ranges there must be a private endpoint and no public one"
  }

  assert {
    condition     = one(aws_eks_cluster.this.access_config).authentication_mode == "API" && !one(aws_eks_cluster.this.access_config).bootstrap_cluster_creator_admin_permissions
    error_message = "access must come from access entries alone, and none from having created the cluster"
  }

  assert {
    condition     = length(aws_eks_cluster.this.enabled_cluster_log_types) == 5 && aws_cloudwatch_log_group.control_plane.name == "/aws/eks/hawser-prod/cluster" && aws_cloudwatch_log_group.control_plane.kms_key_id == var.kms_key_arn
    error_message = "all five logs must go to the encrypted log group"
  }

  assert {
    condition     = one(one(aws_eks_cluster.this.encryption_config).provider).key_arn == var.kms_key_arn
    error_message = "secrets must be encrypted with the given key"
  }

  assert {
    condition     = aws_eks_access_policy_association.admin["arn:aws:iam::111122223333:role/platform-admin"].policy_arn == "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"
    error_message = "each administrator must have the admin policy"
  }

  assert {
    condition     = aws_iam_openid_connect_provider.this.url == "https://oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF"
    error_message = "the OIDC provider must be that of the cluster"
  }

  assert {
    condition     = output.name == "hawser-prod" && output.arn == "arn:aws:eks:us-west-2:111122223333:cluster/hawser-prod"
    error_message = "name and ARN must be built from names"
  }
}

run "public_endpoint_for_named_ranges" {
  command = plan

  variables {
    public_access_cidrs = ["198.51.100.0/24"]
  }

  assert {
    condition     = one(aws_eks_cluster.this.vpc_config).endpoint_public_access && one(aws_eks_cluster.this.vpc_config).endpoint_private_access && one(aws_eks_cluster.this.vpc_config).public_access_cidrs == toset(["198.51.100.0/24"])
    error_message = "the public endpoint must be open for the named ranges, and the private one stays"
  }
}

run "role_serves_this_cluster_only" {
  command   = plan
  providers = { aws = aws.offline }
  state_key = "offline"

  assert {
    condition = one(jsondecode(aws_iam_role.cluster.assume_role_policy).Statement).Condition == {
      StringEquals = { "aws:SourceAccount" = "111122223333" }
      ArnEquals    = { "aws:SourceArn" = "arn:aws:eks:us-west-2:111122223333:cluster/hawser-prod" }
    }
    error_message = "EKS may assume the role for this cluster only"
  }
}

run "refuses_a_cluster_that_nobody_can_enter" {
  command = plan

  variables {
    admin_principals = []
  }

  expect_failures = [var.admin_principals]
}

run "refuses_sessions_patch_versions_and_words_for_ranges" {
  command = plan

  variables {
    admin_principals    = ["arn:aws:sts::111122223333:assumed-role/platform-admin/me"]
    kubernetes_version  = "1.35.2"
    public_access_cidrs = ["office"]
  }

  expect_failures = [var.admin_principals, var.kubernetes_version, var.public_access_cidrs]
}
