# The HyperPod inference operator: turns InferenceEndpointConfig objects into pods, a load balancer and a SageMaker endpoint. Its add-on
# brings its own AWS load balancer controller. KEDA stays off: a replica of this model needs up to an hour to start, so nothing that
# reacts to load can help.
locals {
  operator_addon = "amazon-sagemaker-hyperpod-inference"

  # Keys as in AWS's guide and in its own CloudFormation templates (read 2026-11-30); the service checks them against the schema of the
  # add-on version at apply.
  operator_configuration = {
    executionRoleArn       = module.operator_role.role_arn
    tlsCertificateS3Bucket = module.certificate_bucket.name
    hyperpodClusterArn     = terraform_data.cluster_arn.output

    alb = {
      enabled = true
      serviceAccount = {
        create  = true
        roleArn = module.load_balancer_role.role_arn
      }
    }

    keda = {
      enabled = false
    }
  }
}

# The service makes up the ARN, and Terraform takes the outputs of a stack for unknown whenever its template changes. The ARN never
# changes, because the stack policy denies replacing the cluster: kept once, every later plan shows the operator's settings.
resource "terraform_data" "cluster_arn" {
  input            = module.cluster.cluster_arn
  triggers_replace = var.hyperpod_cluster_name # another name is another cluster

  lifecycle {
    ignore_changes = [input]
  }
}

module "operator" {
  source = "../../modules/eks-addon"

  cluster_name       = var.cluster_name
  name               = local.operator_addon
  addon_version      = lookup(var.addons, local.operator_addon, null)
  configuration_json = jsonencode(local.operator_configuration)

  # Its first containers look for the S3 and FSx drivers and for cert-manager, and give up without them.
  depends_on = [module.addons_on_nodes]
}
