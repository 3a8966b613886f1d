variable "name" {
  description = "Bucket name, unique in the partition. No dots, because TLS to a bucket address with dots fails."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$", var.name))
    error_message = "name must have 3 to 63 lower-case letters, digits and hyphens, and must begin and end with a letter or digit."
  }

  validation {
    condition     = !can(regex("^(xn--|sthree-|amzn-s3-demo-)|(-s3alias|--ol-s3|--x-s3|--table-s3)$", var.name))
    error_message = "name must not begin with xn--, sthree- or amzn-s3-demo-, nor end with -s3alias, --ol-s3, --x-s3 or --table-s3, which S3 keeps for itself."
  }
}

variable "kms_key_arn" {
  description = "ARN of the KMS key that encrypts the objects."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", var.kms_key_arn))
    error_message = "kms_key_arn must be the ARN of a key (arn:aws:kms:<region>:<account>:key/<id>), not an alias or a bare key id."
  }
}

variable "account_id" {
  description = "Account that owns the bucket. Principals of other accounts are denied, whatever their own policies say."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[0-9]{12}$", var.account_id))
    error_message = "account_id must be 12 digits in quotes, so that leading zeros are kept."
  }
}

variable "access_log_bucket" {
  description = "Name of the bucket that receives the access logs, under a prefix of this bucket's name. Null: no access logs."
  type        = string
  default     = null
}

variable "force_destroy" {
  description = "Whether a destroy deletes the objects too. Only for worlds that are thrown away."
  type        = bool
  default     = false
  nullable    = false
}

variable "expire_after_days" {
  description = "Days after which objects go, by prefix: for what is of no use later, such as plans. The rest stays."
  type        = map(number)
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for prefix, days in var.expire_after_days : can(regex("^[0-9a-z-]+/$", prefix)) && days >= 1 && floor(days) == days])
    error_message = "expire_after_days must give whole days, at least 1, for prefixes such as bundles/: an empty prefix would empty the bucket."
  }
}
