variable "name" {
  description = "Name of the security group."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9 ._-]{1,255}$", var.name)) && !startswith(var.name, "sg-")
    error_message = "name must have 1 to 255 letters, digits, spaces and . _ -, and must not begin with sg-."
  }
}

variable "vpc_id" {
  description = "VPC of the nodes."
  type        = string
  nullable    = false
}

variable "vpc_cidr" {
  description = "Address range of the VPC, where the interface endpoints are."
  type        = string
  nullable    = false

  validation {
    condition     = can(cidrhost(var.vpc_cidr, 0))
    error_message = "vpc_cidr must be an IPv4 range such as 10.40.0.0/16."
  }
}

variable "egress" {
  description = "nat: HTTPS to anywhere. endpoints: HTTPS to the VPC and to S3 only."
  type        = string
  nullable    = false

  validation {
    condition     = contains(["nat", "endpoints"], var.egress)
    error_message = "egress must be nat or endpoints."
  }
}

variable "s3_prefix_list_id" {
  description = "Prefix list of S3 in the region. Needed when egress is endpoints."
  type        = string
  default     = null

  validation {
    condition     = var.egress == "nat" || var.s3_prefix_list_id != null
    error_message = "s3_prefix_list_id must be given when egress is endpoints: the gateway endpoint has public addresses, so image layers and weights need a rule of their own."
  }
}
