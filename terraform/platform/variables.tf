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

variable "network" {
  description = "Address ranges by zone id, and the way out: nat or endpoints. Checked by the network module."
  type = object({
    vpc_cidr              = string
    node_subnets          = map(string)
    control_plane_subnets = map(string)
    public_subnets        = map(string)
    egress                = string
  })
  nullable = false
}

variable "cluster" {
  description = "The EKS control plane. Checked by the eks-control-plane module."
  type = object({
    name                = string
    kubernetes_version  = string
    public_access_cidrs = list(string)
    admin_principals    = list(string)
  })
  nullable = false

  validation {
    # The longest name that is made of it is <name>-hyperpod-execution; an IAM role has at most 64 characters.
    condition     = can(regex("^[a-z][a-z0-9-]{0,38}[a-z0-9]$", var.cluster.name))
    error_message = "cluster.name must have 2 to 40 lower-case letters, digits and hyphens and begin with a letter, because role, bucket and key names are built from it."
  }
}

variable "system_nodes" {
  description = "Managed nodes of CoreDNS and the other controllers, which must not live on GPU nodes that end with their reservation. Null: they are an instance group of the HyperPod cluster, which the stack hyperpod makes. Whether ordinary node groups may stand beside HyperPod is not documented by AWS; where they may not, this is the way out."
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
  description = "The add-ons: name => exact version, or null for the default of the Kubernetes version. Those that nodes need are installed even if they are not named. Checked by the system-addons module."
  type        = map(string)
  nullable    = false

  validation {
    condition     = var.system_nodes != null || length(setsubtract(keys(var.addons), keys(local.addons_before_nodes))) == 0
    error_message = "addons may name only ${join(", ", keys(local.addons_before_nodes))} without system_nodes: the others would stay degraded until nodes exist."
  }
}

variable "weights_bucket" {
  description = "Name of the bucket with the model weights, which the model server reads."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$", var.weights_bucket))
    error_message = "weights_bucket must be the bare name of a bucket, without s3:// and without a path."
  }
}

variable "alerts" {
  description = "Who is told, and of which cost. emails: addresses that get a mail to confirm first. monthly_budget_usd: what a month of the account may cost; told at 80 % and 100 % of it, and when the forecast passes it."
  type = object({
    emails             = list(string)
    monthly_budget_usd = number
  })
  nullable = false

  validation {
    condition     = alltrue([for email in var.alerts.emails : can(regex("^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$", email))])
    error_message = "each of alerts.emails must be an e-mail address."
  }

  validation {
    condition     = length(distinct([for email in var.alerts.emails : lower(email)])) == length(var.alerts.emails)
    error_message = "alerts.emails must name each address once."
  }

  validation {
    condition     = var.alerts.monthly_budget_usd >= 1 && var.alerts.monthly_budget_usd == floor(var.alerts.monthly_budget_usd)
    error_message = "alerts.monthly_budget_usd must be a whole number of at least 1: AWS has no budget of nothing."
  }
}
