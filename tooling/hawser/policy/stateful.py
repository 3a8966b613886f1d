"""Resource types that hold what cannot be made again by planning once more, and what is lost with each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hawser.policy.hyperpod import holds_cluster
from hawser.policy.registry import Context
from hawser.policy.templates import STACK
from hawser.terraform.plan import Change

#: Type -> what is lost, completing "… is destroyed with …". Names of hashicorp/aws 5.100.0 and of awscc.
STATEFUL: Final[Mapping[str, str]] = {
    "aws_s3_bucket": "every object in it (weights, logs, state)",
    "aws_s3_directory_bucket": "every object in it",
    "aws_kms_key": "the key: whatever it encrypts cannot be read again",
    "aws_kms_replica_key": "the key: whatever it encrypts cannot be read again",
    "aws_kms_external_key": "the key: whatever it encrypts cannot be read again",
    "aws_fsx_lustre_file_system": "every file that was not exported to S3",
    "aws_fsx_ontap_file_system": "every file on it",
    "aws_fsx_openzfs_file_system": "every file on it",
    "aws_fsx_windows_file_system": "every file on it",
    "aws_efs_file_system": "every file on it",
    "aws_fsx_ontap_volume": "every file on it",
    "aws_fsx_openzfs_volume": "every file on it",
    "aws_ebs_volume": "every block on it",
    "aws_ebs_snapshot": "the copy of the volume",
    "aws_ami": "the machine image",
    "aws_backup_vault": "every backup in it",
    "aws_eks_cluster": "the cluster and everything that runs in it",
    STACK: "every resource that the stack made",
    "aws_cloudcontrolapi_resource": "the resource behind it",
    "awscc_sagemaker_cluster": "the HyperPod cluster and everything that runs in it",
    "aws_ecr_repository": "every image in it",
    "aws_dynamodb_table": "every item in it",
    "aws_db_instance": "the database",
    "aws_rds_cluster": "the database",
    "aws_docdb_cluster": "the database",
    "aws_neptune_cluster": "the database",
    "aws_redshift_cluster": "the database",
    "aws_elasticache_cluster": "everything in the cache",
    "aws_elasticache_replication_group": "everything in the cache",
    "aws_memorydb_cluster": "the database",
    "aws_opensearch_domain": "every document in it",
    "aws_msk_cluster": "every message in it",
    "aws_kinesis_stream": "every record in it",
    "aws_sqs_queue": "every message in it",
    "aws_cloudwatch_log_group": "every log line in it",
    "aws_route53_zone": "every name in it, and the name servers that are delegated to",
    "aws_acmpca_certificate_authority": "the authority: whatever it signed cannot be renewed",
    "aws_secretsmanager_secret": "the secret in it",
    "aws_prometheus_workspace": "every metric in it",
}

#: CloudFormation's type -> the type above that says what is lost. HyperPod clusters are left to HW-HYP-001.
IN_TEMPLATE: Final[Mapping[str, str]] = {
    "AWS::CloudFormation::Stack": STACK,
    "AWS::DynamoDB::GlobalTable": "aws_dynamodb_table",
    "AWS::DynamoDB::Table": "aws_dynamodb_table",
    "AWS::EC2::Volume": "aws_ebs_volume",
    "AWS::ECR::Repository": "aws_ecr_repository",
    "AWS::EFS::FileSystem": "aws_efs_file_system",
    "AWS::EKS::Cluster": "aws_eks_cluster",
    "AWS::FSx::FileSystem": "aws_fsx_lustre_file_system",
    "AWS::KMS::Key": "aws_kms_key",
    "AWS::KMS::ReplicaKey": "aws_kms_replica_key",
    "AWS::RDS::DBCluster": "aws_rds_cluster",
    "AWS::RDS::DBInstance": "aws_db_instance",
    "AWS::S3::Bucket": "aws_s3_bucket",
    "AWS::SecretsManager::Secret": "aws_secretsmanager_secret",
}

#: Terraform's reason for replacing what it could not finish creating.
TAINTED: Final = "replace_because_tainted"

TYPES: Final = tuple(sorted(STATEFUL))


def what_is_lost(change: Change) -> str:
    """What goes with this resource."""
    if change.type == STACK and holds_cluster(change):
        return "the HyperPod cluster in it, its GPU nodes and everything that runs on them"
    return STATEFUL.get(change.type, "what it holds")


def folded(context: Context) -> bool:
    """Whether one finding speaks for every delete, because the plan destroys everything."""
    return context.plan.is_destroy
