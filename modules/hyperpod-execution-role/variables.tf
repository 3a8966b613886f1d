variable "name" {
  description = "Name of the role. The role that creates the cluster has to be allowed to pass it."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9+=,.@_-]{1,64}$", var.name))
    error_message = "name must have 1 to 64 characters out of letters, digits and + = , . @ _ -; shorten the cluster name it is made of."
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
}

variable "eks_cluster_arn" {
  description = "ARN of the EKS cluster that the nodes join."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^arn:aws[a-z-]*:eks:[a-z0-9-]+:[0-9]{12}:cluster/.+$", var.eks_cluster_arn))
    error_message = "eks_cluster_arn must look like arn:aws:eks:<region>:<account>:cluster/<name>."
  }
}

variable "subnet_ids" {
  description = "Subnets in which the nodes may have network interfaces."
  type        = list(string)
  nullable    = false

  validation {
    condition     = length(var.subnet_ids) >= 1
    error_message = "subnet_ids must hold at least one subnet; give the node subnets of the network."
  }
}

variable "security_group_ids" {
  description = "Security groups that the nodes' network interfaces may have."
  type        = list(string)
  nullable    = false

  validation {
    condition     = length(var.security_group_ids) >= 1
    error_message = "security_group_ids must hold at least one security group; give those of the cluster's VPC configuration."
  }
}

variable "lifecycle_bucket" {
  description = "Name of the bucket with the lifecycle scripts."
  type        = string
  nullable    = false
}

variable "kms_key_arn" {
  description = "ARN of the KMS key of the nodes' volumes and of the lifecycle bucket."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", var.kms_key_arn))
    error_message = "kms_key_arn must be the ARN of a key (arn:aws:kms:<region>:<account>:key/<id>), not an alias or a bare key id."
  }
}
