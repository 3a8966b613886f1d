variable "cluster_name" {
  description = "Name of the EKS cluster."
  type        = string
  nullable    = false
}

variable "name" {
  description = "Name of the add-on, as the EKS API lists it."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9_-]*$", var.name))
    error_message = "name must be an add-on name as the EKS API lists it, such as vpc-cni or aws-ebs-csi-driver."
  }
}

# Not called version: Terraform keeps that word for the version of a module.
variable "addon_version" {
  description = "Version of the add-on, or null for the default of the cluster's Kubernetes version at the time it is installed."
  type        = string
  default     = null

  validation {
    condition     = var.addon_version == null || can(regex("^v[0-9]+\\.[0-9]+\\.[0-9]+.*-eksbuild\\.[0-9]+$", var.addon_version))
    error_message = "addon_version must be an exact version such as v1.12.1-eksbuild.2, or null for the default."
  }
}

variable "configuration_json" {
  description = "Settings of the add-on as a JSON object, or null for none. The add-on's own schema checks the keys when it is installed."
  type        = string
  default     = null

  validation {
    condition     = var.configuration_json == null || can(keys(jsondecode(var.configuration_json)))
    error_message = "configuration_json must be a JSON object, for example jsonencode({ replicaCount = 2 })."
  }
}
