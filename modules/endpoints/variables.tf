variable "name" {
  description = "Prefix of the names of endpoints and their security group."
  type        = string
  nullable    = false
}

variable "account_id" {
  description = "Account whose buckets can be reached through the S3 endpoint."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[0-9]{12}$", var.account_id))
    error_message = "account_id must be 12 digits in quotes, so that leading zeros are kept."
  }
}

variable "region" {
  description = "Region of the endpoints."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]{2}(-[a-z]+)+-[0-9]+$", var.region))
    error_message = "region must be a region code such as us-west-2, not a zone."
  }
}

variable "vpc_id" {
  description = "VPC of the endpoints."
  type        = string
  nullable    = false
}

variable "vpc_cidr" {
  description = "Address range of the VPC, which may call the interface endpoints."
  type        = string
  nullable    = false

  validation {
    condition     = can(cidrhost(var.vpc_cidr, 0))
    error_message = "vpc_cidr must be an IPv4 range such as 10.40.0.0/16."
  }
}

variable "route_table_ids" {
  description = "Route tables that lead to S3 through the gateway endpoint: all private ones, else the weights pay NAT charges."
  type        = list(string)
  nullable    = false

  validation {
    condition     = length(var.route_table_ids) > 0
    error_message = "route_table_ids must name at least one route table, or nothing uses the S3 endpoint."
  }
}

variable "subnet_ids" {
  description = "Subnets that hold the interface endpoints, one in each zone."
  type        = list(string)
  default     = []
  nullable    = false
}

variable "interface_services" {
  description = "Services with an interface endpoint, without the com.amazonaws.<region> prefix. Empty for none."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for service in var.interface_services : can(regex("^[a-z][a-z0-9.-]*$", service)) && !startswith(service, "com.amazonaws")])
    error_message = "each of interface_services must be a short service name such as ecr.dkr; leave out com.amazonaws.<region>."
  }

  validation {
    condition     = !contains(var.interface_services, "s3")
    error_message = "interface_services must not hold s3: the gateway endpoint, which costs nothing, is always made."
  }

  validation {
    condition     = length(var.interface_services) == 0 || length(var.subnet_ids) > 0
    error_message = "subnet_ids must name at least one subnet when there are interface_services."
  }
}
