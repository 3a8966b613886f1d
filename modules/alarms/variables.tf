variable "name" {
  description = "Prefix of every name here, usually the cluster and what of it is watched, because two of one name take each other's alarms. Schedules are called <name>-<pool>-<hours>h."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9][A-Za-z0-9_-]{1,54}$", var.name))
    error_message = "name must have 2 to 55 letters, digits, hyphens and underscores, because schedule and role names of at most 64 are built from it."
  }
}

variable "cluster_name" {
  description = "EKS cluster whose nodes are watched, as Container Insights names it. A HyperPod cluster is watched through the EKS cluster that orchestrates it."
  type        = string
  nullable    = false
}

variable "account_id" {
  description = "Account of the cluster."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[0-9]{12}$", var.account_id))
    error_message = "account_id must be 12 digits in quotes, so that leading zeros are kept."
  }
}

variable "region" {
  description = "Region of the cluster."
  type        = string
  nullable    = false
}

variable "topic_arn" {
  description = "ARN of the SNS topic that is told. Its policy must let CloudWatch publish. Give it built from names, so that the policy here is in the first plan."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^arn:aws[a-z-]*:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_-]+$", var.topic_arn))
    error_message = "topic_arn must be the ARN of a standard SNS topic (arn:aws:sns:<region>:<account>:<name>); CloudWatch cannot write to a .fifo topic."
  }
}

variable "kms_key_arn" {
  description = "ARN of the KMS key of topic and schedules."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", var.kms_key_arn))
    error_message = "kms_key_arn must be the ARN of a key (arn:aws:kms:<region>:<account>:key/<id>), not an alias or a bare key id."
  }
}

variable "host_log_group" {
  description = <<-EOT
    Log group with the kernel log of the nodes; it must exist. Fluent Bit of the CloudWatch add-on writes to /aws/containerinsights/<cluster>/host.
    Its own settings find no kernel log on Amazon Linux 2023, which keeps it in the journal only: somebody must give it that route (unverified on HyperPod images).
  EOT
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9._/#-]{1,512}$", var.host_log_group))
    error_message = "host_log_group must be the name of a log group such as /aws/containerinsights/<cluster>/host, not its ARN."
  }
}

variable "pools" {
  description = "Pools of capacity by name, with start and end of their reservation in UTC (2027-01-11T11:30:00Z) where they have one."
  type = map(object({
    start = optional(string)
    end   = optional(string)
  }))
  nullable = false

  validation {
    condition = alltrue(flatten([
      for pool in values(var.pools) : [
        for time in [pool.start, pool.end] : time == null || (can(regex("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$", time)) && can(timeadd(time, "0s")))
      ]
    ]))
    error_message = "start and end of a pool must be UTC times such as 2027-01-11T11:30:00Z."
  }

  validation {
    condition     = alltrue([for pool in keys(var.pools) : length(var.name) + length(pool) <= 57])
    error_message = "name and the name of a pool must have at most 57 characters together, because a schedule has at most 64 (<name>-<pool>-168h); shorten one of the two."
  }
}

variable "notice_hours" {
  description = "Hours before the end of a pool at which the topic is told."
  type        = set(number)
  default     = [24, 168]
  nullable    = false

  validation {
    condition     = alltrue([for hours in var.notice_hours : hours >= 2 && hours <= 999 && hours == floor(hours)])
    error_message = "each of notice_hours must be a whole number from 2 (one hour before the end the nodes are drained) to 999."
  }
}

variable "engine" {
  description = <<-EOT
    Metrics of the serving engine in CloudWatch and what is too much, or null for none.
    They exist only if an exporter brings them there, under exactly this namespace and these dimensions (unverified, they are the exporter's choice).
    The Prometheus support of the CloudWatch agent brings gauges and counters but drops histograms, so it serves queue_metric only;
    first_token_metric needs a collector that writes histograms as CloudWatch distributions. Without data the alarms stay in INSUFFICIENT_DATA.
    queue_metric: gauge of waiting requests. first_token_metric: distribution of seconds to the first token.
  EOT
  type = object({
    namespace           = string
    dimensions          = map(string)
    queue_metric        = string
    queue_length        = number
    first_token_metric  = string
    first_token_seconds = number
  })

  validation {
    condition     = var.engine == null || try(can(regex("^[A-Za-z0-9._/#-]{1,255}$", var.engine.namespace)) && !startswith(var.engine.namespace, "AWS/"), false)
    error_message = "engine.namespace must have 1 to 255 letters, digits and . _ / # -, and must not begin with AWS/, which is kept for AWS."
  }

  validation {
    condition     = var.engine == null || try(length(var.engine.dimensions) <= 30 && var.engine.queue_length >= 0 && var.engine.first_token_seconds > 0, false)
    error_message = "engine must have at most 30 dimensions, a queue_length of 0 or more and a first_token_seconds above 0."
  }
}
