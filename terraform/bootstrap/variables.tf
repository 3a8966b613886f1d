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

variable "state_bucket" {
  description = "Name of the bucket of Terraform's state and of plan bundles."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$", var.state_bucket))
    error_message = "state_bucket must have 3 to 63 lower-case letters, digits and hyphens, and must begin and end with a letter or digit."
  }
}

variable "weights_bucket" {
  description = "Name of the bucket of the model weights."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$", var.weights_bucket))
    error_message = "weights_bucket must have 3 to 63 lower-case letters, digits and hyphens, without s3:// and without a path."
  }

  validation {
    condition     = var.weights_bucket != var.state_bucket
    error_message = "weights_bucket must not be state_bucket: who reads the weights would lie beside what Terraform knows."
  }
}

variable "image_repository" {
  description = "Name of the ECR repository of the mirrored image: the contract's image.name. Null: the registry is another one."
  type        = string
  default     = null

  validation {
    condition     = var.image_repository == null || can(regex("^[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*(/[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*)*$", var.image_repository)) && try(length(var.image_repository) >= 2 && length(var.image_repository) <= 256, false)
    error_message = "image_repository must be a repository name of 2 to 256 characters in lower case, without registry and without tag; between letters and digits stands one dot, one or two underscores, or hyphens."
  }
}

variable "force_destroy" {
  description = "Whether a destroy also deletes objects and images. Only for the embedded emulator, whose world is thrown away."
  type        = bool
  nullable    = false
}

variable "ci" {
  description = "The CI that may plan and apply, by OpenID Connect. issuer: its address. repository: as the sub claim of its tokens gives it, with ids where the repository has immutable subjects (secondary source: GitHub changelog, 2026-04-23). branch: the one whose jobs may plan, beside pull requests. environments: protected environments whose jobs may apply. provider: create, or existing where the account has one for this issuer. Null: no provider and no roles."
  type = object({
    issuer       = string
    repository   = string
    branch       = string
    environments = list(string)
    provider     = string
  })
  default = null

  validation {
    condition     = var.ci == null || can(regex("^https://[a-z0-9.-]+(/[A-Za-z0-9._/-]*[A-Za-z0-9_-])?$", var.ci.issuer))
    error_message = "ci.issuer must be an https:// address without a slash at the end, such as https://token.actions.githubusercontent.com."
  }

  validation {
    condition     = var.ci == null || can(regex("^[A-Za-z0-9_.@-]+/[A-Za-z0-9_.@-]+$", var.ci.repository))
    error_message = "ci.repository must be owner/name, without a wildcard: a wildcard trusts repositories that nobody has made yet."
  }

  validation {
    condition     = var.ci == null || can(regex("^[A-Za-z0-9._/-]+$", var.ci.branch))
    error_message = "ci.branch must be the name of one branch, without refs/heads/ and without a wildcard."
  }

  validation {
    condition     = var.ci == null || try(length(var.ci.environments) > 0 && alltrue([for name in var.ci.environments : can(regex("^[A-Za-z0-9._-]+$", name))]), false)
    error_message = "ci.environments must name at least one protected environment, without a wildcard: who may apply is decided there."
  }

  validation {
    condition     = var.ci == null || contains(["create", "existing"], try(var.ci.provider, ""))
    error_message = "ci.provider must be create or existing."
  }
}
