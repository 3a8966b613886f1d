variable "name" {
  description = "Name of the file system, its security group and its log group."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[A-Za-z0-9][A-Za-z0-9_-]{1,254}$", var.name)) && !startswith(var.name, "sg-")
    error_message = "name must have 2 to 255 letters, digits, hyphens and underscores, and must not begin with sg-."
  }
}

variable "account_id" {
  description = "Account of the file system."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[0-9]{12}$", var.account_id))
    error_message = "account_id must be 12 digits in quotes, so that leading zeros are kept."
  }
}

variable "region" {
  description = "Region of the file system."
  type        = string
  nullable    = false
}

variable "vpc_id" {
  description = "VPC of the nodes."
  type        = string
  nullable    = false
}

variable "subnet_id" {
  description = "Subnet of the nodes that read. The file system lies in one zone; from another zone every byte is paid for and slower."
  type        = string
  nullable    = false
}

variable "node_security_group_id" {
  description = "Security group that every reading node carries. It gets the rules for Lustre in both directions."
  type        = string
  nullable    = false
}

variable "kms_key_arn" {
  description = "ARN of the KMS key of the file system and its log group."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", var.kms_key_arn))
    error_message = "kms_key_arn must be the ARN of a key (arn:aws:kms:<region>:<account>:key/<id>), not an alias or a bare key id."
  }
}

variable "weights_uri" {
  description = "s3://<bucket>/<folder> whose files appear at the top of the file system, read-only in this direction. The bucket must be in the same region."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/[^/].*$", var.weights_uri))
    error_message = "weights_uri must be s3://<bucket>/<folder>: the whole bucket would bring every other model into the cache."
  }
}

variable "size_gib" {
  description = "Storage in GiB: 1200, or a multiple of 2400. It can grow later and never shrink."
  type        = number
  nullable    = false

  validation {
    condition     = var.size_gib == 1200 || (var.size_gib > 0 && var.size_gib % 2400 == 0)
    error_message = "size_gib must be 1200 or a multiple of 2400, which is what FSx sells of PERSISTENT_2; take the next larger one."
  }
}

variable "throughput_mb_per_tib" {
  description = "Throughput in MB/s per TiB of storage: 125, 250, 500 or 1000. Paid for by the month, read or not."
  type        = number
  nullable    = false

  validation {
    condition     = contains([125, 250, 500, 1000], var.throughput_mb_per_tib)
    error_message = "throughput_mb_per_tib must be 125, 250, 500 or 1000, which is what FSx sells of PERSISTENT_2 on SSD."
  }
}
