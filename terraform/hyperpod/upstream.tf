variable "vpc_id" {
  description = "From platform: id of the VPC."
  type        = string
  nullable    = false

  validation {
    condition     = startswith(var.vpc_id, "vpc-")
    error_message = "vpc_id must be the id of a VPC (vpc-...)."
  }
}

variable "node_subnet_ids" {
  description = "From platform: zone id => id of the subnet of nodes and pods."
  type        = map(string)
  nullable    = false

  validation {
    condition     = alltrue([for id in values(var.node_subnet_ids) : startswith(id, "subnet-")])
    error_message = "node_subnet_ids must hold the id of a subnet (subnet-...) for each zone id."
  }
}

variable "cluster_name" {
  description = "From platform: name of the EKS cluster."
  type        = string
  nullable    = false
}

variable "cluster_arn" {
  description = "From platform: ARN of the EKS cluster."
  type        = string
  nullable    = false
}

variable "cluster_security_group_id" {
  description = "From platform: security group that every node needs to reach the Kubernetes API."
  type        = string
  nullable    = false

  validation {
    condition     = startswith(var.cluster_security_group_id, "sg-")
    error_message = "cluster_security_group_id must be the id of a security group (sg-...), not its name."
  }
}

variable "efa_security_group_id" {
  description = "From platform: security group for EFA traffic between GPU nodes."
  type        = string
  nullable    = false

  validation {
    condition     = startswith(var.efa_security_group_id, "sg-") && var.efa_security_group_id != var.cluster_security_group_id
    error_message = "efa_security_group_id must be the id of a security group (sg-...) and another one than the cluster's, because EC2 refuses an interface that names one group twice."
  }
}

variable "data_kms_key_arn" {
  description = "From platform: ARN of the key that encrypts data of the environment."
  type        = string
  nullable    = false
}

variable "oidc_provider_arn" {
  description = "From platform: ARN of the cluster's OIDC provider, for the controllers of the inference operator."
  type        = string
  nullable    = false
}

variable "cloudformation_role_arn" {
  description = "From platform: ARN of the role with which CloudFormation makes the HyperPod cluster."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^arn:aws[a-z-]*:iam::[0-9]{12}:role/.+$", var.cloudformation_role_arn))
    error_message = "cloudformation_role_arn must be the ARN of a role (arn:aws:iam::<account>:role/<name>)."
  }
}

variable "alerts_topic_arn" {
  description = "From platform: ARN of the SNS topic for alarms. Null: an existing platform gave none, and nothing is watched."
  type        = string
  default     = null
}

variable "host_log_group" {
  description = "From platform: log group with the logs of the nodes themselves. Null: the one that the CloudWatch add-on writes to."
  type        = string
  default     = null
}
