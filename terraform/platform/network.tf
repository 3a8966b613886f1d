module "network" {
  source = "../../modules/network"

  name                  = local.name
  account_id            = var.account_id
  region                = var.region
  vpc_cidr              = var.network.vpc_cidr
  node_subnets          = var.network.node_subnets
  control_plane_subnets = var.network.control_plane_subnets
  public_subnets        = var.network.public_subnets
  egress                = var.network.egress
  kms_key_arn           = aws_kms_key.data.arn
}

locals {
  # What nodes and controllers call. With NAT they go out for it; without, each needs its own way. Not here, because nobody in the VPC
  # calls them: autoscaling (no cluster autoscaler), kms (EC2 and S3 use the key themselves), sqs (EKS and HyperPod drain their own
  # nodes). ACM, WAF and Shield have no endpoint that the inference operator could use (see the README of the stack hyperpod).
  interface_services = [
    "aps-workspaces",       # metrics to Prometheus
    "ec2",                  # vpc-cni, EBS driver
    "ec2messages",          # SSM agent
    "ecr.api",              # image pulls
    "ecr.dkr",              # image pulls
    "eks",                  # nodes that look up their cluster
    "eks-auth",             # pod identity
    "elasticloadbalancing", # load balancer controller
    "fsx",                  # FSx driver
    "logs",                 # CloudWatch agents, HyperPod node logs
    "monitoring",           # CloudWatch agents
    "sagemaker.api",        # HyperPod nodes
    "ssm",                  # node access
    "ssmmessages",          # node access
    "sts",                  # roles of service accounts
  ]
}

module "endpoints" {
  source = "../../modules/endpoints"

  name               = local.name
  account_id         = var.account_id
  region             = var.region
  vpc_id             = module.network.vpc_id
  vpc_cidr           = var.network.vpc_cidr
  route_table_ids    = module.network.private_route_table_ids
  subnet_ids         = values(module.network.node_subnet_ids)
  interface_services = var.network.egress == "endpoints" ? local.interface_services : []
}

module "efa_security_group" {
  source = "../../modules/efa-security-group"

  name              = "${local.name}-efa"
  vpc_id            = module.network.vpc_id
  vpc_cidr          = var.network.vpc_cidr
  egress            = var.network.egress
  s3_prefix_list_id = module.endpoints.s3_prefix_list_id
}
