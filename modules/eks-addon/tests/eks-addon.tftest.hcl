mock_provider "aws" {}

variables {
  cluster_name = "hawser-prod"
  name         = "vpc-cni"
}

run "version_and_settings_reach_the_addon" {
  command = plan

  variables {
    addon_version      = "v1.20.4-eksbuild.2"
    configuration_json = "{\"enableNetworkPolicy\":\"true\"}"
  }

  assert {
    condition     = aws_eks_addon.this.addon_name == "vpc-cni" && aws_eks_addon.this.addon_version == "v1.20.4-eksbuild.2" && jsondecode(aws_eks_addon.this.configuration_values) == { enableNetworkPolicy = "true" }
    error_message = "name, version and settings must be those that were given"
  }

  assert {
    condition     = aws_eks_addon.this.resolve_conflicts_on_create == "OVERWRITE" && aws_eks_addon.this.resolve_conflicts_on_update == "OVERWRITE"
    error_message = "what is written here must win over edits in the cluster"
  }

  assert {
    condition     = aws_eks_addon.this.timeouts == { create = "60m", update = "60m", delete = "60m" }
    error_message = "an add-on must wait for nodes that still boot"
  }
}

run "refuses_a_loose_version_and_settings_that_are_no_object" {
  command = plan

  variables {
    addon_version      = "latest"
    configuration_json = "[1]"
  }

  expect_failures = [var.addon_version, var.configuration_json]
}

run "refuses_a_name_that_is_no_addon" {
  command = plan

  variables {
    name = "VPC CNI"
  }

  expect_failures = [var.name]
}
