variable "environment" {
  description = "Name of the environment, for tags."
  type        = string
  nullable    = false
}

variable "account_id" {
  description = "Account that the stack is for. The provider refuses any other."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[0-9]{12}$", var.account_id))
    error_message = "account_id must be 12 digits in quotes, so that leading zeros are kept."
  }
}

variable "region" {
  description = "Region of the stack."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]{2}(-[a-z]+)+-[0-9]+$", var.region))
    error_message = "region must be a region code such as us-west-2, not a zone."
  }
}

variable "tags" {
  description = "Tags of every resource, next to environment and stack."
  type        = map(string)
  nullable    = false

  validation {
    condition     = length(distinct([for name in concat(["environment", "stack"], keys(var.tags)) : lower(name)])) == length(var.tags) + 2
    error_message = "tags must differ by more than capitals, also from environment and stack, which this stack sets: IAM takes Team and team for one tag and refuses the role."
  }
}

variable "pools" {
  description = "Pools of GPU capacity by name, one node group each. gpus is the number of GPUs of one node; interfaces is the layout of its network cards. Checked by the gpu-node-group module."
  type = map(object({
    instance_type  = string
    kind           = string
    count          = number
    reservation_id = optional(string)
    zone_id        = string
    start          = optional(string)
    end            = optional(string)
    gpus           = number
    interfaces = list(object({
      card   = number
      device = number
      type   = string
    }))
  }))
  nullable = false

  validation {
    condition     = !contains(keys(var.pools), "system")
    error_message = "a pool must not be named system, which is the node group of the platform; rename it."
  }

  validation {
    condition     = alltrue([for pool in values(var.pools) : contains(keys(var.node_subnet_ids), pool.zone_id)])
    error_message = "the zone_id of a pool must be one of the zones with a node subnet (${join(", ", keys(var.node_subnet_ids))}): add the zone to network.node_subnets, or correct ${join(", ", [for name, pool in var.pools : name if !contains(keys(var.node_subnet_ids), pool.zone_id)])}."
  }
}

variable "alarms" {
  description = "engine: metrics of the serving engine in CloudWatch and their limits, or null. They are there only if an exporter brings them, with the dimensions ClusterName and Namespace. Checked by the alarms module."
  type = object({
    engine = optional(object({
      namespace           = string
      queue_metric        = string
      queue_length        = number
      first_token_metric  = string
      first_token_seconds = number
    }))
  })
  nullable = false
}

variable "cache" {
  description = "Lustre cache of the weights, one in each zone with a pool, or null for none. Checked by the lustre-cache module."
  type = object({
    weights_uri           = string
    size_gib              = number
    throughput_mb_per_tib = number
  })
  default = null
}
