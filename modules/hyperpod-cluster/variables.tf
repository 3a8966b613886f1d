variable "name" {
  description = "Name of the HyperPod cluster and of its CloudFormation stack. Another name is another cluster."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-zA-Z](-*[a-zA-Z0-9])*$", var.name)) && length(var.name) <= 63
    error_message = "name must have 1 to 63 letters, digits and hyphens, begin with a letter and not end with a hyphen."
  }
}

variable "eks_cluster_arn" {
  description = "ARN of the EKS cluster that orchestrates the nodes. Another EKS cluster is another HyperPod cluster."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^arn:aws[a-z-]*:eks:[a-z0-9-]+:[0-9]{12}:cluster/.+$", var.eks_cluster_arn))
    error_message = "eks_cluster_arn must look like arn:aws:eks:<region>:<account>:cluster/<name>."
  }
}

variable "node_subnet_ids" {
  description = "Node subnets by zone id. Together they are fixed for the life of the cluster; each group uses the one of its zone."
  type        = map(string)
  nullable    = false

  validation {
    condition     = length(var.node_subnet_ids) >= 1 && length(var.node_subnet_ids) <= 16
    error_message = "node_subnet_ids must hold 1 to 16 subnets, which is what a HyperPod cluster accepts."
  }
}

variable "security_group_ids" {
  description = "Security groups of all nodes, fixed for the life of the cluster: one that opens EFA traffic between the nodes, and the EKS cluster's own, without which a node cannot reach the API server."
  type        = list(string)
  nullable    = false

  validation {
    condition     = length(var.security_group_ids) >= 1 && length(var.security_group_ids) <= 5
    error_message = "security_group_ids must hold 1 to 5 groups, which is what a HyperPod cluster accepts."
  }
}

variable "groups" {
  description = "Instance groups by name. instance_type carries the ml. prefix; zone_id left out: the group may use every node subnet; training_plan_arn only where the group uses a training plan; accelerated false: nodes without GPUs, which have no deep health checks."
  type = map(object({
    instance_type     = string
    count             = number
    zone_id           = optional(string)
    training_plan_arn = optional(string)
    accelerated       = optional(bool, true)
    labels            = optional(map(string), {})
  }))
  nullable = false

  validation {
    condition     = length(var.groups) >= 1 && length(var.groups) <= 100
    error_message = "groups must hold 1 to 100 instance groups, which is what a HyperPod cluster accepts."
  }

  validation {
    condition     = alltrue([for name in keys(var.groups) : can(regex("^[a-zA-Z0-9](-*[a-zA-Z0-9])*$", name)) && length(name) <= 63])
    error_message = "each name in groups must have 1 to 63 letters, digits and hyphens and must not begin or end with a hyphen; this one does not: ${join(", ", [for name in keys(var.groups) : name if !can(regex("^[a-zA-Z0-9](-*[a-zA-Z0-9])*$", name)) || length(name) > 63])}."
  }

  validation {
    condition     = alltrue([for group in values(var.groups) : startswith(group.instance_type, "ml.")])
    error_message = "the instance_type of a group must carry the ml. prefix, for example ml.p6-b300.48xlarge; wrong in: ${join(", ", [for name, group in var.groups : name if !startswith(group.instance_type, "ml.")])}."
  }

  validation {
    condition     = alltrue([for group in values(var.groups) : group.count >= 0 && group.count <= 6758 && group.count == floor(group.count)])
    error_message = "the count of a group must be a whole number from 0 to 6758; wrong in: ${join(", ", [for name, group in var.groups : name if group.count < 0 || group.count > 6758 || group.count != floor(group.count)])}."
  }

  validation {
    condition     = alltrue([for group in values(var.groups) : group.zone_id == null ? true : contains(keys(var.node_subnet_ids), group.zone_id)])
    error_message = "the zone_id of a group must be one of the zones with a node subnet (${join(", ", keys(var.node_subnet_ids))}); wrong in: ${join(", ", [for name, group in var.groups : name if group.zone_id == null ? false : !contains(keys(var.node_subnet_ids), group.zone_id)])}."
  }

  validation {
    condition     = alltrue([for group in values(var.groups) : group.training_plan_arn == null || group.zone_id != null])
    error_message = "a group with a training_plan_arn needs the zone_id of the plan, because its nodes start in no other zone; missing in: ${join(", ", [for name, group in var.groups : name if group.training_plan_arn != null && group.zone_id == null])}."
  }

  validation {
    # nvidia.com/gpu.present is added by the module, hence 49.
    condition     = alltrue([for group in values(var.groups) : length(group.labels) <= 49])
    error_message = "a group may have at most 49 labels beside nvidia.com/gpu.present; too many in: ${join(", ", [for name, group in var.groups : name if length(group.labels) > 49])}."
  }

  validation {
    condition     = alltrue([for group in values(var.groups) : group.training_plan_arn == null || can(regex("^arn:aws[a-z-]*:sagemaker:[a-z0-9-]*:[0-9]{12}:training-plan/.+$", group.training_plan_arn))])
    error_message = "training_plan_arn must look like arn:aws:sagemaker:<region>:<account>:training-plan/<name>; wrong in: ${join(", ", [for name, group in var.groups : name if group.training_plan_arn != null && !can(regex("^arn:aws[a-z-]*:sagemaker:[a-z0-9-]*:[0-9]{12}:training-plan/.+$", group.training_plan_arn))])}."
  }
}

variable "volume_size_gb" {
  description = "Size of the additional EBS volume of each node, mounted at /opt/sagemaker."
  type        = number
  nullable    = false

  validation {
    condition     = var.volume_size_gb >= 1 && var.volume_size_gb <= 16384 && var.volume_size_gb == floor(var.volume_size_gb)
    error_message = "volume_size_gb must be a whole number from 1 to 16384."
  }
}

variable "kms_key_arn" {
  description = "ARN of the KMS key of the volumes and of the lifecycle scripts. A group keeps its key; another key needs a new group."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", var.kms_key_arn))
    error_message = "kms_key_arn must be the ARN of a key (arn:aws:kms:<region>:<account>:key/<id>), not an alias or a bare key id."
  }
}

variable "lifecycle_bucket" {
  description = "Name of the bucket for the lifecycle scripts."
  type        = string
  nullable    = false

  validation {
    condition     = startswith(var.lifecycle_bucket, "sagemaker-")
    error_message = "lifecycle_bucket must begin with sagemaker-, because the managed policy of HyperPod nodes reads no other buckets."
  }
}

variable "execution_role_arn" {
  description = "ARN of the role of the nodes, built from its name."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^arn:aws[a-z-]*:iam::[0-9]{12}:role/.+$", var.execution_role_arn))
    error_message = "execution_role_arn must look like arn:aws:iam::<account>:role/<name>."
  }
}

variable "cloudformation_role_arn" {
  description = "ARN of the role with which CloudFormation creates, changes and deletes the cluster. It must outlive the stack."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^arn:aws[a-z-]*:iam::[0-9]{12}:role/.+$", var.cloudformation_role_arn))
    error_message = "cloudformation_role_arn must look like arn:aws:iam::<account>:role/<name>."
  }
}

variable "tags" {
  description = "Tags of the HyperPod cluster."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    # SageMaker = true is added by the module, hence 49.
    condition     = length(setsubtract(keys(var.tags), ["SageMaker"])) <= 49
    error_message = "tags must hold at most 49 tags beside SageMaker, which is what a HyperPod cluster accepts."
  }

  validation {
    condition     = alltrue([for key, value in var.tags : can(regex("^[-\\p{L}\\p{Z}\\p{N}_.:/=+@]{1,128}$", key)) && can(regex("^[-\\p{L}\\p{Z}\\p{N}_.:/=+@]{0,256}$", value)) && !startswith(lower(key), "aws:")])
    error_message = "a tag has up to 128 letters, digits, spaces and _ . : / = + - @ in its name, which does not begin with aws:, and up to 256 in its value; wrong: ${join(", ", [for key, value in var.tags : key if !can(regex("^[-\\p{L}\\p{Z}\\p{N}_.:/=+@]{1,128}$", key)) || !can(regex("^[-\\p{L}\\p{Z}\\p{N}_.:/=+@]{0,256}$", value)) || startswith(lower(key), "aws:")])}."
  }
}
