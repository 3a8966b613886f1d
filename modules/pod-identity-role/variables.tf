variable "name" {
  description = "Name of the IAM role."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9+=,.@_-]{1,64}$", var.name))
    error_message = "name must have 1 to 64 characters out of letters, digits and + = , . @ _ -; shorten the cluster or service account name it is made of."
  }
}

variable "cluster_name" {
  description = "Name of the EKS cluster whose pods get the role."
  type        = string
  nullable    = false
}

variable "cluster_arn" {
  description = "ARN of that cluster. No other cluster can hand the role out. Give it built from names, so that the trust policy is in the first plan."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^arn:aws[a-z-]*:eks:[a-z0-9-]+:[0-9]{12}:cluster/.+$", var.cluster_arn))
    error_message = "cluster_arn must look like arn:aws:eks:<region>:<account>:cluster/<name>."
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

variable "namespace" {
  description = "Kubernetes namespace of the service account."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", var.namespace))
    error_message = "namespace must be one exact Kubernetes namespace; a pattern such as * would give the role to every namespace."
  }
}

variable "service_account" {
  description = "Kubernetes service account whose pods get the role."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$", var.service_account))
    error_message = "service_account must be one exact Kubernetes service account; a pattern such as * would give the role to every pod of the namespace."
  }
}

variable "policy_json" {
  description = "Inline policies: name of the policy => its JSON document."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for document in values(var.policy_json) : can(jsondecode(document).Statement)])
    error_message = "each value of policy_json must be an IAM policy document in JSON with a Statement, for example the json attribute of aws_iam_policy_document."
  }
}

variable "managed_policy_arns" {
  description = "Managed policies to attach: name of your choice => ARN."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for arn in values(var.managed_policy_arns) : can(regex("^arn:aws[a-z-]*:iam::(aws|[0-9]{12}):policy/.+$", arn))])
    error_message = "each value of managed_policy_arns must be the ARN of an IAM policy (arn:aws:iam::aws:policy/<name> or arn:aws:iam::<account>:policy/<name>)."
  }
}
