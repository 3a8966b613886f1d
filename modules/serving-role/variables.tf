variable "name" {
  description = "Name of the IAM role. Checked by the pod-identity-role module."
  type        = string
  nullable    = false
}

variable "cluster_name" {
  description = "Name of the EKS cluster of the model server."
  type        = string
  nullable    = false
}

variable "cluster_arn" {
  description = "ARN of that cluster, built from names. Checked by the pod-identity-role module."
  type        = string
  nullable    = false
}

variable "account_id" {
  description = "Account of the cluster. Checked by the pod-identity-role module."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Region of the cluster and of the bucket."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]{2}(-[a-z]+)+-[0-9]+$", var.region))
    error_message = "region must be a region code such as us-west-2, not a zone."
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
