# Every id in here is a literal: a reference that CloudFormation resolves itself can change without the template changing, and a
# value unknown to Terraform would hide the whole template from the plan.
locals {
  groups = [
    for name in sort(keys(var.groups)) : merge(
      {
        InstanceGroupName = name
        InstanceType      = var.groups[name].instance_type
        InstanceCount     = var.groups[name].count
        ExecutionRole     = var.execution_role_arn

        LifeCycleConfig = {
          SourceS3Uri = "s3://${var.lifecycle_bucket}/${local.lifecycle_prefix}"
          OnCreate    = "on_create.sh"
        }

        InstanceStorageConfigs = [
          { EbsVolumeConfig = { RootVolume = true, VolumeKmsKeyId = var.kms_key_arn } },
          { EbsVolumeConfig = { VolumeSizeInGB = var.volume_size_gb, VolumeKmsKeyId = var.kms_key_arn } },
        ]

        # A model server runs tokenisers, HTTP and page cache beside the GPUs and uses every thread. SageMaker's default of 1 is for
        # numerical work on the CPU and would halve the vCPUs against the same EC2 instance.
        ThreadsPerCore = 2

        KubernetesConfig = {
          Labels = merge(var.groups[name].labels, var.groups[name].accelerated ? { "nvidia.com/gpu.present" = "true" } : {})
        }
      },
      # Both checks, because a bad GPU or link is better found before the model is loaded for an hour. They forbid taints of one's own.
      var.groups[name].accelerated ? { OnStartDeepHealthChecks = ["InstanceConnectivity", "InstanceStress"] } : {},
      {
        for zone_id in var.groups[name].zone_id[*] : "OverrideVpcConfig" => {
          SecurityGroupIds = sort(var.security_group_ids)
          Subnets          = [var.node_subnet_ids[zone_id]]
        }
      },
      { for arn in var.groups[name].training_plan_arn[*] : "TrainingPlanArn" => arn },
    )
  ]

  template_body = jsonencode({
    AWSTemplateFormatVersion = "2010-09-09"
    Description              = "SageMaker HyperPod cluster ${var.name}, orchestrated by EKS"

    Resources = {
      Cluster = {
        Type = "AWS::SageMaker::Cluster"
        Properties = {
          ClusterName          = var.name
          Orchestrator         = { Eks = { ClusterArn = var.eks_cluster_arn } }
          NodeProvisioningMode = "Continuous"
          NodeRecovery         = "Automatic"
          InstanceGroups       = local.groups

          VpcConfig = {
            SecurityGroupIds = sort(var.security_group_ids)
            Subnets          = sort(values(var.node_subnet_ids))
          }

          # SageMaker=true as in AWS's own templates.
          Tags = [for key, value in merge(var.tags, { SageMaker = "true" }) : { Key = key, Value = value }]
        }
      }
    }

    Outputs = {
      ClusterArn = { Value = { "Fn::GetAtt" = ["Cluster", "ClusterArn"] } }
    }
  })
}
