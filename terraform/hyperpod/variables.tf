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

variable "hyperpod_cluster_name" {
  description = "Name of the HyperPod cluster. Another name is another cluster. Checked by the hyperpod-cluster module."
  type        = string
  nullable    = false
}

variable "pools" {
  description = "Pools of GPU capacity by name, one instance group each. gpus is the number of GPUs of one node; start and end are those of its training plan. Checked by the hyperpod-cluster module."
  type = map(object({
    instance_type     = string
    kind              = string
    count             = number
    training_plan_arn = optional(string)
    zone_id           = string
    gpus              = number
    start             = optional(string)
    end               = optional(string)
  }))
  nullable = false

  validation {
    condition     = !contains(keys(var.pools), local.system_group)
    error_message = "no pool may be called ${local.system_group}: that is the instance group of the system nodes."
  }

  validation {
    condition     = alltrue([for pool in values(var.pools) : contains(["on-demand", "training-plan"], pool.kind)])
    error_message = "the kind of a pool must be on-demand or training-plan, because HyperPod cannot use EC2 reservations; wrong in: ${join(", ", [for name, pool in var.pools : name if !contains(["on-demand", "training-plan"], pool.kind)])}."
  }

  validation {
    condition     = alltrue([for pool in values(var.pools) : (pool.kind == "training-plan") == (pool.training_plan_arn != null)])
    error_message = "a pool must have a training_plan_arn if its kind is training-plan, and none otherwise; wrong in: ${join(", ", [for name, pool in var.pools : name if(pool.kind == "training-plan") != (pool.training_plan_arn != null)])}."
  }
}

variable "system_nodes" {
  description = "Nodes of CoreDNS and the other controllers as an instance group of this cluster, with the ml. prefix. Null: they are a managed node group of the platform."
  type = object({
    instance_type = string
    count         = number
  })
  default = null

  validation {
    condition     = var.system_nodes == null ? true : var.system_nodes.count >= 2
    error_message = "system_nodes.count must be at least 2: with one node, its replacement stops DNS in the whole cluster."
  }
}

variable "addons" {
  description = "The add-ons: name => exact version, or null for the default of the Kubernetes version. The inference operator is installed even if it is not named; the system add-ons only with system_nodes, where the platform leaves them to this stack. Checked by the system-addons module."
  type        = map(string)
  nullable    = false

  validation {
    condition     = var.system_nodes != null || length(setsubtract(keys(var.addons), [local.operator_addon])) == 0
    error_message = "addons may name only ${local.operator_addon} without system_nodes: the others are the platform's."
  }

  validation {
    condition     = var.system_nodes == null || contains(keys(var.addons), "coredns")
    error_message = "addons must name coredns when there are system_nodes: the platform does not install it, and nothing in the cluster has DNS without it."
  }
}

variable "volume_size_gb" {
  description = "Size of the additional EBS volume of each node, mounted at /opt/sagemaker. Checked by the hyperpod-cluster module."
  type        = number
  nullable    = false
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
