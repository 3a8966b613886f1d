variable "name" {
  description = "Name of the cluster."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z][A-Za-z0-9-]{0,49}$", var.name))
    error_message = "name must begin with a letter and have up to 50 letters, digits and hyphens, because role names are built from it."
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

variable "kubernetes_version" {
  description = "Kubernetes version of the control plane. Raise it one minor version at a time."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^1\\.[0-9]{2}$", var.kubernetes_version))
    error_message = "kubernetes_version must be a minor version in quotes such as \"1.35\"; patch versions are chosen by EKS."
  }
}

variable "subnet_ids" {
  description = "Subnets of the control plane's network interfaces, in at least two zones."
  type        = list(string)
  nullable    = false

  validation {
    condition     = length(var.subnet_ids) >= 2
    error_message = "subnet_ids must name subnets in at least two zones: EKS refuses a cluster in one."
  }
}

variable "public_access_cidrs" {
  description = "Ranges that may reach the public endpoint of the Kubernetes API. Empty: there is no public endpoint."
  type        = list(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for cidr in var.public_access_cidrs : can(cidrhost(cidr, 0))])
    error_message = "each of public_access_cidrs must be an IPv4 range such as 198.51.100.0/24."
  }
}

variable "admin_principals" {
  description = "IAM roles or users that administer the cluster. They are the only ones: whoever creates the cluster gets no access by that."
  type        = set(string)
  nullable    = false

  validation {
    condition     = length(var.admin_principals) > 0
    error_message = "admin_principals must name at least one IAM role or user, or nobody can get into the cluster."
  }

  validation {
    condition     = alltrue([for arn in var.admin_principals : can(regex("^arn:aws[a-z-]*:iam::[0-9]{12}:(role|user)/.+$", arn))])
    error_message = "each of admin_principals must be the ARN of an IAM role or user (arn:aws:iam::<account>:role/<name>), not of a session (sts) nor of an account."
  }
}

variable "kms_key_arn" {
  description = "ARN of the KMS key of Kubernetes secrets and of the control-plane logs. Its policy must let CloudWatch Logs of the region use it."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", var.kms_key_arn))
    error_message = "kms_key_arn must be the ARN of a key (arn:aws:kms:<region>:<account>:key/<id>), not an alias or a bare key id."
  }
}
