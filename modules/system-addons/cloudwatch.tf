# Container Insights and the logs of nodes and pods: what the alarms read. Settings by the schema of the add-on, as public
# configurations use it (2026-11-30); not tried against a cluster.
locals {
  cloudwatch_configuration = jsonencode({
    # Said in words, because newer versions can write metrics of other names instead.
    agent = { config = { logs = { metrics_collected = { kubernetes = { enhanced_container_insights = true } } } } }

    # Amazon Linux 2023 keeps the kernel log in the journal only, where the add-on's own settings do not look.
    containerLogs = { fluentBit = { config = { extraFiles = { "host-log.conf" = file("${path.module}/host-log.conf") } } } }

    # On by default, this puts a tracer into every Python process it finds, the model server among them.
    manager = { applicationSignals = { autoMonitor = { monitorAllServices = false } } }
  })
}
