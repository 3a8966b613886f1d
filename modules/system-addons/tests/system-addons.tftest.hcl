mock_provider "aws" {}

variables {
  cluster_name  = "hawser-prod"
  versions      = { coredns = "v1.12.4-eksbuild.1", metrics-server = null }
  node_selector = { "eks.amazonaws.com/nodegroup" = "hawser-prod-system" }
}

run "dns_stays_on_the_system_nodes" {
  assert {
    condition     = join(" ", output.names) == "coredns metrics-server"
    error_message = "what is named, and nothing else, must be installed"
  }

  assert {
    condition     = jsondecode(module.addon["coredns"].configuration_json) == { nodeSelector = { "eks.amazonaws.com/nodegroup" = "hawser-prod-system" } }
    error_message = "DNS must stay on the system nodes"
  }
}

run "the_cloudwatch_agent_reads_the_kernel_log_and_leaves_the_model_alone" {
  command = plan

  assert {
    condition     = jsondecode(local.cloudwatch_configuration).manager.applicationSignals.autoMonitor.monitorAllServices == false
    error_message = "nothing may be injected into the model server"
  }

  assert {
    condition     = jsondecode(local.cloudwatch_configuration).agent.config.logs.metrics_collected.kubernetes.enhanced_container_insights
    error_message = "the metrics that the alarms name must be written"
  }

  assert {
    condition = alltrue([
      for piece in ["_TRANSPORT=kernel", "/aws/containerinsights/$${CLUSTER_NAME}/host"] :
      strcontains(jsondecode(local.cloudwatch_configuration).containerLogs.fluentBit.config.extraFiles["host-log.conf"], piece)
    ])
    error_message = "the kernel log must reach the group in which faults of GPUs are counted"
  }
}

run "refuses_an_addon_that_is_not_a_system_addon" {
  command = plan

  variables {
    versions = { nginx = null }
  }

  expect_failures = [var.versions]
}

run "refuses_dns_on_any_node" {
  command = plan

  variables {
    node_selector = {}
  }

  expect_failures = [var.node_selector]
}
