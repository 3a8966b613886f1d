# The real provider without an account: a plan of this module calls no AWS API, and its policies are real.
provider "aws" {
  region                      = "us-west-2"
  access_key                  = "offline"
  secret_key                  = "offline"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
}

variables {
  name           = "hawser-prod"
  cluster_name   = "hawser-prod"
  account_id     = "111122223333"
  region         = "us-west-2"
  topic_arn      = "arn:aws:sns:us-west-2:111122223333:hawser-prod-alerts"
  kms_key_arn    = "arn:aws:kms:us-west-2:111122223333:key/11111111-2222-3333-4444-555555555555"
  host_log_group = "/aws/containerinsights/hawser-prod/host"

  pools = {
    k3-block-a = { start = "2027-01-11T11:30:00Z", end = "2027-02-08T11:30:00Z" }
    short      = { start = "2027-01-11T11:30:00Z", end = "2027-01-14T11:30:00Z" }
    spare      = {}
  }

  engine = {
    namespace           = "ContainerInsights/Prometheus"
    dimensions          = { ClusterName = "hawser-prod", Namespace = "serving" }
    queue_metric        = "vllm:num_requests_waiting"
    queue_length        = 50
    first_token_metric  = "vllm:time_to_first_token_seconds"
    first_token_seconds = 30
  }
}

run "every_alarm_tells_the_topic_and_says_what_no_data_means" {
  command = plan

  assert {
    condition = { for alarm in [
      aws_cloudwatch_metric_alarm.nodes_failed, aws_cloudwatch_metric_alarm.xid,
      aws_cloudwatch_metric_alarm.queue[0], aws_cloudwatch_metric_alarm.first_token[0],
      ] : alarm.alarm_name => alarm.treat_missing_data } == {
      hawser-prod-nodes-failed    = "breaching"
      hawser-prod-gpu-xid         = "notBreaching"
      hawser-prod-queue-length    = "missing"
      hawser-prod-first-token-p99 = "missing"
    }
    error_message = "no data is bad for nodes, good for faults, and unknown for an engine that may have no exporter"
  }

  assert {
    condition = alltrue([for alarm in [
      aws_cloudwatch_metric_alarm.nodes_failed, aws_cloudwatch_metric_alarm.xid,
      aws_cloudwatch_metric_alarm.queue[0], aws_cloudwatch_metric_alarm.first_token[0],
    ] : alarm.alarm_actions == toset([var.topic_arn]) && alarm.ok_actions == toset([var.topic_arn])])
    error_message = "every alarm must tell the topic when it begins and when it ends"
  }

  assert {
    condition     = output.alarm_names == tolist(["hawser-prod-first-token-p99", "hawser-prod-gpu-xid", "hawser-prod-nodes-failed", "hawser-prod-queue-length"])
    error_message = "the output must name every alarm"
  }
}

run "alarms_read_the_metrics_that_are_written" {
  command = plan

  assert {
    condition     = "${aws_cloudwatch_metric_alarm.nodes_failed.namespace} ${aws_cloudwatch_metric_alarm.nodes_failed.metric_name}" == "ContainerInsights cluster_failed_node_count" && aws_cloudwatch_metric_alarm.nodes_failed.dimensions == tomap({ ClusterName = "hawser-prod" })
    error_message = "Container Insights writes cluster_failed_node_count with the one dimension ClusterName"
  }

  assert {
    condition = (
      aws_cloudwatch_log_metric_filter.xid.log_group_name == var.host_log_group
      && aws_cloudwatch_log_metric_filter.xid.pattern == "\"NVRM: Xid\""
      && aws_cloudwatch_metric_alarm.xid.namespace == "hawser/hawser-prod"
      && aws_cloudwatch_metric_alarm.xid.metric_name == "GpuXid"
    )
    error_message = "the alarm must read what the filter writes"
  }

  assert {
    condition     = aws_cloudwatch_metric_alarm.first_token[0].extended_statistic == "p99" && aws_cloudwatch_metric_alarm.first_token[0].threshold == 30 && aws_cloudwatch_metric_alarm.queue[0].threshold == 50
    error_message = "the thresholds must be those given"
  }
}

run "an_ending_is_told_in_time_and_not_before_the_start" {
  command = plan

  assert {
    condition = { for key, schedule in aws_scheduler_schedule.ending : schedule.name => "${schedule.schedule_expression} ${schedule.schedule_expression_timezone}" } == {
      hawser-prod-k3-block-a-168h = "at(2027-02-01T11:30:00) UTC"
      hawser-prod-k3-block-a-24h  = "at(2027-02-07T11:30:00) UTC"
      hawser-prod-short-24h       = "at(2027-01-13T11:30:00) UTC"
    }
    error_message = "a pool with an end is told of 168 and 24 hours before, one of three days only 24, one without an end never"
  }

  assert {
    condition     = strcontains(aws_scheduler_schedule.ending["k3-block-a-24h"].target[0].input, "pool k3-block-a on hawser-prod ends at 2027-02-08T11:30:00Z, in 24 hours")
    error_message = "the notice must name pool, cluster and time"
  }

  assert {
    condition = { for statement in jsondecode(aws_iam_role_policy.notice[0].policy).Statement : statement.Sid => [statement.Resource, jsonencode(try(statement.Condition, null))] } == {
      WriteToTheTopic    = [var.topic_arn, "null"]
      EncryptForTheTopic = [var.kms_key_arn, jsonencode({ StringEquals = { "kms:ViaService" = "sns.us-west-2.amazonaws.com" } })]
      ReadTheseSchedules = [var.kms_key_arn, jsonencode({ ArnLike = { "kms:EncryptionContext:aws:scheduler:schedule:arn" = "arn:aws:scheduler:us-west-2:111122223333:schedule/default/hawser-prod-*h" } })]
    }
    error_message = "the schedules may write to this topic, and use the key for it and for themselves only"
  }
}

run "without_engine_and_ends_nothing_is_left_over" {
  command = plan

  variables {
    engine = null
    pools  = { spare = {} }
  }

  assert {
    condition     = length(aws_cloudwatch_metric_alarm.queue) + length(aws_cloudwatch_metric_alarm.first_token) == 0
    error_message = "without an engine there is nothing to watch of it"
  }

  assert {
    condition     = length(aws_scheduler_schedule.ending) + length(aws_iam_role.notice) == 0
    error_message = "a role nobody uses must not exist"
  }
}

run "refuses_a_fifo_topic" {
  command = plan

  variables {
    topic_arn = "arn:aws:sns:us-west-2:111122223333:hawser-prod-alerts.fifo"
  }

  expect_failures = [var.topic_arn]
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

run "refuses_the_arn_of_a_log_group" {
  command = plan

  variables {
    host_log_group = "arn:aws:logs:us-west-2:111122223333:log-group:/aws/containerinsights/hawser-prod/host"
  }

  expect_failures = [var.host_log_group]
}

run "refuses_a_name_that_makes_roles_too_long" {
  command = plan

  variables {
    name  = "hawser-production-europe-west-capacity-for-inference-two"
    pools = {}
  }

  expect_failures = [var.name]
}

run "refuses_names_that_make_schedules_too_long" {
  command = plan

  variables {
    name  = "hawser-production-europe-west-capacity"
    pools = { k3-block-january-2027 = { end = "2027-02-08T11:30:00Z" } }
  }

  expect_failures = [var.pools]
}

run "refuses_an_end_with_an_offset" {
  command = plan

  variables {
    pools = { k3-block-a = { end = "2027-02-08T11:30:00+02:00" } }
  }

  expect_failures = [var.pools]
}

run "refuses_a_notice_after_the_nodes_are_gone" {
  command = plan

  variables {
    notice_hours = [1]
  }

  expect_failures = [var.notice_hours]
}

run "refuses_a_namespace_of_aws" {
  command = plan

  variables {
    engine = {
      namespace           = "AWS/SageMaker"
      dimensions          = {}
      queue_metric        = "q"
      queue_length        = 1
      first_token_metric  = "t"
      first_token_seconds = 1
    }
  }

  expect_failures = [var.engine]
}

run "refuses_an_engine_that_answers_at_once" {
  command = plan

  variables {
    engine = {
      namespace           = "ContainerInsights/Prometheus"
      dimensions          = {}
      queue_metric        = "q"
      queue_length        = 1
      first_token_metric  = "t"
      first_token_seconds = 0
    }
  }

  expect_failures = [var.engine]
}
