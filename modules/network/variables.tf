variable "name" {
  description = "Prefix of the names of everything in the network."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z][A-Za-z0-9-]{0,49}$", var.name))
    error_message = "name must begin with a letter and have up to 50 letters, digits and hyphens, because role names are built from it."
  }
}

variable "account_id" {
  description = "Account that owns the network."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[0-9]{12}$", var.account_id))
    error_message = "account_id must be 12 digits in quotes, so that leading zeros are kept."
  }
}

variable "region" {
  description = "Region of the network."
  type        = string
  nullable    = false
}

variable "vpc_cidr" {
  description = "Address range of the VPC."
  type        = string
  nullable    = false

  validation {
    condition     = can(cidrhost(var.vpc_cidr, 0)) && try(tonumber(split("/", var.vpc_cidr)[1]) >= 16 && tonumber(split("/", var.vpc_cidr)[1]) <= 28, false)
    error_message = "vpc_cidr must be an IPv4 range from /16 to /28, for example 10.40.0.0/16."
  }
}

variable "node_subnets" {
  description = "Subnets of nodes and pods: zone id => range. Zone ids, because reservations are bound to ids and a zone name means another place in each account."
  type        = map(string)
  nullable    = false

  validation {
    condition     = length(var.node_subnets) > 0 && alltrue([for zone in keys(var.node_subnets) : can(regex("^[a-z0-9-]+-az[0-9]+$", zone))])
    error_message = "node_subnets must have at least one entry and its keys must be zone ids such as usw2-az1, not zone names such as us-west-2a."
  }

  validation {
    condition     = alltrue([for cidr in values(var.node_subnets) : try(tonumber(split("/", cidr)[1]) <= 20, false)])
    error_message = "each range in node_subnets must be a /20 or larger: a GPU node with its pods takes about a hundred addresses."
  }

  validation {
    condition     = alltrue([for cidr in values(var.node_subnets) : try(tonumber(split("/", cidr)[1]) >= tonumber(split("/", var.vpc_cidr)[1]) && cidrhost("${split("/", cidr)[0]}/${split("/", var.vpc_cidr)[1]}", 0) == cidrhost(var.vpc_cidr, 0), false)])
    error_message = "each range in node_subnets must lie inside vpc_cidr."
  }
}

variable "control_plane_subnets" {
  description = "Subnets of the network interfaces of the EKS control plane: zone id => range."
  type        = map(string)
  nullable    = false

  validation {
    condition     = length(var.control_plane_subnets) >= 2 && alltrue([for zone in keys(var.control_plane_subnets) : can(regex("^[a-z0-9-]+-az[0-9]+$", zone))])
    error_message = "control_plane_subnets must name at least two zone ids such as usw2-az1: EKS refuses a cluster in one zone."
  }

  validation {
    condition     = alltrue([for cidr in values(var.control_plane_subnets) : try(tonumber(split("/", cidr)[1]) <= 27, false)])
    error_message = "each range in control_plane_subnets must be a /27 or larger: an upgrade of the control plane needs free addresses beside the ones in use."
  }

  validation {
    condition     = alltrue([for cidr in values(var.control_plane_subnets) : try(tonumber(split("/", cidr)[1]) >= tonumber(split("/", var.vpc_cidr)[1]) && cidrhost("${split("/", cidr)[0]}/${split("/", var.vpc_cidr)[1]}", 0) == cidrhost(var.vpc_cidr, 0), false)])
    error_message = "each range in control_plane_subnets must lie inside vpc_cidr."
  }
}

variable "egress" {
  description = "How nodes reach what is outside: nat (NAT gateways in the public subnets) or endpoints (nothing but VPC endpoints, no route to the internet)."
  type        = string
  nullable    = false

  validation {
    condition     = contains(["nat", "endpoints"], var.egress)
    error_message = "egress must be nat or endpoints."
  }
}

variable "public_subnets" {
  description = "Subnets that hold the NAT gateways, one gateway each: zone id => range. Empty when egress is endpoints."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = (var.egress == "nat") == (length(var.public_subnets) > 0)
    error_message = "public_subnets must have an entry when egress is nat, and must be empty when egress is endpoints."
  }

  validation {
    condition     = alltrue([for zone in keys(var.public_subnets) : can(regex("^[a-z0-9-]+-az[0-9]+$", zone))])
    error_message = "the keys of public_subnets must be zone ids such as usw2-az1, not zone names such as us-west-2a."
  }

  validation {
    condition     = alltrue([for cidr in values(var.public_subnets) : try(tonumber(split("/", cidr)[1]) <= 28, false)])
    error_message = "each range in public_subnets must be a /28 or larger, which is the smallest subnet that AWS makes."
  }

  validation {
    condition     = alltrue([for cidr in values(var.public_subnets) : try(tonumber(split("/", cidr)[1]) >= tonumber(split("/", var.vpc_cidr)[1]) && cidrhost("${split("/", cidr)[0]}/${split("/", var.vpc_cidr)[1]}", 0) == cidrhost(var.vpc_cidr, 0), false)])
    error_message = "each range in public_subnets must lie inside vpc_cidr."
  }
}

variable "kms_key_arn" {
  description = "ARN of the KMS key of the flow logs. Its policy must let CloudWatch Logs of the region use it."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", var.kms_key_arn))
    error_message = "kms_key_arn must be the ARN of a key (arn:aws:kms:<region>:<account>:key/<id>), not an alias or a bare key id."
  }
}
