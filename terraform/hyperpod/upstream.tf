variable "vpc_id" {
  description = "From platform: id of the VPC."
  type        = string
  nullable    = false
}

variable "node_subnet_ids" {
  description = "From platform: zone id => id of the subnet of nodes and pods."
  type        = map(string)
  nullable    = false
}

variable "cluster_name" {
  description = "From platform: name of the EKS cluster."
  type        = string
  nullable    = false
}

variable "cluster_arn" {
  description = "From platform: ARN of the EKS cluster."
  type        = string
  nullable    = false
}

variable "cluster_security_group_id" {
  description = "From platform: security group that every node needs to reach the Kubernetes API."
  type        = string
  nullable    = false
}

variable "efa_security_group_id" {
  description = "From platform: security group for EFA traffic between GPU nodes."
  type        = string
  nullable    = false
}

variable "data_kms_key_arn" {
  description = "From platform: ARN of the key that encrypts data of the environment."
  type        = string
  nullable    = false
}

variable "oidc_provider_arn" {
  description = "From platform: ARN of the cluster's OIDC provider, for the controllers of the inference operator."
  type        = string
  nullable    = false
}

variable "cloudformation_role_arn" {
  description = "From platform: ARN of the role with which CloudFormation makes the HyperPod cluster."
  type        = string
  nullable    = false
}
