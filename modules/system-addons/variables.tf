variable "cluster_name" {
  description = "Name of the EKS cluster."
  type        = string
  nullable    = false
}

variable "versions" {
  description = "The add-ons to install: name => exact version, or null for the default of the Kubernetes version."
  type        = map(string)
  nullable    = false

  validation {
    condition     = alltrue([for name in keys(var.versions) : contains(keys(local.configurations), name)])
    error_message = "versions may name only ${join(", ", keys(local.configurations))}; not among them: ${join(", ", setsubtract(keys(var.versions), keys(local.configurations)))}."
  }
}

variable "node_selector" {
  description = "Label of the nodes that stay when GPU nodes come and go: name => value."
  type        = map(string)
  nullable    = false

  validation {
    condition     = length(var.node_selector) > 0
    error_message = "node_selector must name a label of the system nodes, or DNS may land on a GPU node that ends with its reservation."
  }
}
