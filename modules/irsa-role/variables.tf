variable "name" {
  description = "Name of the IAM role."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9+=,.@_-]{1,64}$", var.name))
    error_message = "name must have 1 to 64 characters out of letters, digits and + = , . @ _ -; shorten the cluster name it is made of."
  }
}

variable "oidc_provider_arn" {
  description = "ARN of the OIDC provider of the EKS cluster whose pods get the role."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^arn:aws[a-z-]*:iam::[0-9]{12}:oidc-provider/[^/].*$", var.oidc_provider_arn))
    error_message = "oidc_provider_arn must look like arn:aws:iam::<account>:oidc-provider/oidc.eks.<region>.amazonaws.com/id/<id>."
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

variable "services" {
  description = "AWS services that may take the role too, because the controller hands it on to them."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for service in var.services : can(regex("^[a-z0-9.-]+\\.amazonaws\\.com$", service))])
    error_message = "each of services must be the principal of an AWS service such as sagemaker.amazonaws.com."
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
