variable "name" {
  description = "Prefix of the account-wide names: launch template, roles and schedules."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9][A-Za-z0-9_-]{1,53}[A-Za-z0-9]$", var.name))
    error_message = "name must have 3 to 55 letters, digits, hyphens and underscores, because role names made from it end at 64; shorten the cluster or the pool name."
  }
}

variable "node_group_name" {
  description = "Name of the node group, unique in the cluster."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$", var.node_group_name))
    error_message = "node_group_name must have 1 to 63 letters, digits, hyphens and underscores, and must begin with a letter or digit."
  }
}

variable "cluster_name" {
  description = "Name of the EKS cluster that the nodes join."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[0-9A-Za-z][0-9A-Za-z_-]{0,99}$", var.cluster_name))
    error_message = "cluster_name must be the name of the cluster (1 to 100 letters, digits, hyphens and underscores), not its ARN."
  }
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

  validation {
    condition     = can(regex("^[a-z]{2}(-[a-z]+)+-[0-9]+$", var.region))
    error_message = "region must be a region code such as us-west-2, not a zone."
  }
}

variable "instance_type" {
  description = "EC2 instance type, for example p6-b300.48xlarge."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]*\\.[a-z0-9-]+$", var.instance_type)) && !startswith(var.instance_type, "ml.")
    error_message = "instance_type must be an EC2 name such as p6-b300.48xlarge, without the ml. prefix of SageMaker."
  }
}

variable "capacity" {
  description = <<-EOT
    Where the instances come from.
    kind: on-demand; odcr (a targeted on-demand capacity reservation); capacity-block (an EC2 Capacity Block for ML).
    count: how many nodes. A capacity-block pool has that many between start and one hour before end, and none outside; every other kind always.
    reservation_id: cr-..., for odcr and capacity-block.
    start, end: of the Capacity Block, RFC 3339 in UTC, for example 2027-01-11T11:30:00Z.
  EOT
  type = object({
    kind           = string
    count          = number
    reservation_id = optional(string)
    start          = optional(string)
    end            = optional(string)
  })
  nullable = false

  validation {
    condition     = contains(["on-demand", "odcr", "capacity-block"], var.capacity.kind)
    error_message = "capacity.kind must be on-demand, odcr or capacity-block; a training plan can only be used by a HyperPod cluster."
  }

  validation {
    condition     = var.capacity.count >= 1 && var.capacity.count == floor(var.capacity.count)
    error_message = "capacity.count must be a whole number of nodes, at least 1; to have none, remove the pool."
  }

  validation {
    condition     = contains(["odcr", "capacity-block"], var.capacity.kind) ? can(regex("^cr-[0-9a-f]{8,17}$", var.capacity.reservation_id)) : var.capacity.reservation_id == null
    error_message = "capacity.reservation_id must be the id of the reservation (cr-...) for the kinds odcr and capacity-block, and must be left out for on-demand."
  }

  validation {
    condition = var.capacity.kind == "capacity-block" ? alltrue([
      for time in [var.capacity.start, var.capacity.end] : can(regex("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$", time)) && can(timeadd(time, "0s"))
    ]) : var.capacity.start == null && var.capacity.end == null
    error_message = "capacity.start and capacity.end must be UTC times such as 2027-01-11T11:30:00Z for the kind capacity-block, and must be left out for the others."
  }

  validation {
    condition     = var.capacity.kind == "capacity-block" ? try(timecmp(timeadd(var.capacity.start, "60m"), var.capacity.end) < 0, true) : true
    error_message = "capacity.end must be more than one hour after capacity.start, because the nodes are drained one hour before the end."
  }
}

variable "interfaces" {
  description = <<-EOT
    Network interfaces of one instance, as the instance type needs them: network card, device index on that card, and type (interface or efa-only).
    p6-b300.48xlarge, for example, has 17 cards: card 0 device 0 interface, cards 1 to 16 device 0 efa-only.
  EOT
  type = list(object({
    card   = number
    device = number
    type   = string
  }))
  nullable = false

  validation {
    condition     = length([for i in var.interfaces : i if i.card == 0 && i.device == 0 && i.type == "interface"]) == 1
    error_message = "interfaces must hold card 0 device 0 of type interface exactly once: it carries the node's own address."
  }

  validation {
    condition     = alltrue([for i in var.interfaces : contains(["interface", "efa-only"], i.type)])
    error_message = "each type in interfaces must be interface or efa-only."
  }

  validation {
    condition     = toset([for i in var.interfaces : i.card]) == toset(range(length(distinct([for i in var.interfaces : i.card]))))
    error_message = "the cards in interfaces must be 0, 1, 2 and so on without a gap: EC2 counts network cards from 0."
  }

  validation {
    condition     = length(distinct([for i in var.interfaces : "${i.card}/${i.device}"])) == length(var.interfaces)
    error_message = "two entries of interfaces name the same card and device; each pair may occur once."
  }
}

variable "subnet_id" {
  description = "The one subnet of the nodes. A reservation lies in one zone, so the subnet must lie in that zone."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^subnet-[0-9a-f]+$", var.subnet_id))
    error_message = "subnet_id must be the id of one subnet (subnet-...)."
  }
}

variable "security_group_ids" {
  description = "Security groups of every interface: one that opens EFA traffic between the nodes, and the cluster's own, without which a node cannot reach the API server."
  type        = list(string)
  nullable    = false

  validation {
    condition     = length(var.security_group_ids) >= 1 && length(var.security_group_ids) <= 5
    error_message = "security_group_ids must hold 1 to 5 groups, which is what EC2 accepts on one interface."
  }

  validation {
    condition     = alltrue([for id in var.security_group_ids : startswith(id, "sg-")]) && length(distinct(var.security_group_ids)) == length(var.security_group_ids)
    error_message = "security_group_ids must be ids of security groups (sg-...), each once; names are not accepted in a launch template with interfaces."
  }
}

variable "kms_key_arn" {
  description = "ARN of the KMS key for root volumes and schedules. Its policy must let the Auto Scaling service-linked role use it and create grants."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", var.kms_key_arn))
    error_message = "kms_key_arn must be the ARN of a key (arn:aws:kms:<region>:<account>:key/<id>), not an alias or a bare key id."
  }
}

variable "labels" {
  description = "Kubernetes labels of the nodes, besides those of this module."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition = alltrue([
      for key, value in var.labels :
      can(regex("^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$", key))
      && can(regex("^([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$", value))
    ])
    error_message = "names and values of labels must be up to 63 letters, digits and . _ -, beginning and ending with a letter or digit; a name may have a prefix such as hawser/."
  }

  validation {
    condition     = alltrue([for key in keys(var.labels) : !can(regex("(^|\\.)(kubernetes\\.io|k8s\\.io|eks\\.amazonaws\\.com)/", key))])
    error_message = "labels must not begin with kubernetes.io/, k8s.io/ or eks.amazonaws.com/, which Kubernetes and EKS keep for themselves."
  }
}

variable "tags" {
  description = "Tags of instances, volumes and network interfaces. The tags of a provider do not reach what Auto Scaling launches."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = length(var.tags) <= 45 && alltrue([for key in keys(var.tags) : length(key) <= 128 && !startswith(lower(key), "aws:")])
    error_message = "tags must be at most 45 (AWS accepts 50, and EKS adds its own), with names of up to 128 characters that do not begin with aws:."
  }
}
