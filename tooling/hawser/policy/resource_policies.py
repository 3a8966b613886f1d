"""Policies that stand at a resource and say who may use it: where they are, and which of them let everybody in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hawser.policy.addresses import network, whom
from hawser.policy.iam import WHO, Condition, Statement, policy_in, policy_in_template
from hawser.policy.registry import Context
from hawser.policy.templates import STACK, made_by
from hawser.policy.unknown import Doubts, State, any_of, both, opposite
from hawser.terraform.plan import Change
from hawser.terraform.values import UNKNOWN, Unknown

#: Attribute that holds the policy, by type: all of hashicorp/aws 5.100.0 (its schema, 2026-12-01). Not here: policies
#: of endpoints and of VPC Lattice, whose ``*`` are the principals inside networks that are joined to them, policies in
#: other languages (Cedar, OpenSearch Serverless), and trust policies, which HW-IAM-004 judges.
POLICIES: Final[Mapping[str, str]] = {
    "aws_acmpca_policy": "policy",
    "aws_api_gateway_domain_name": "policy",
    "aws_api_gateway_rest_api": "policy",
    "aws_api_gateway_rest_api_policy": "policy",
    "aws_backup_vault_policy": "policy",
    "aws_cloudsearch_domain_service_access_policy": "access_policy",
    "aws_cloudwatch_event_bus_policy": "policy",
    "aws_cloudwatch_log_delivery_destination_policy": "delivery_destination_policy",
    "aws_cloudwatch_log_destination_policy": "access_policy",
    "aws_cloudwatch_log_resource_policy": "policy_document",
    "aws_codeartifact_domain_permissions_policy": "policy_document",
    "aws_codeartifact_repository_permissions_policy": "policy_document",
    "aws_codebuild_resource_policy": "policy",
    "aws_dynamodb_resource_policy": "policy",
    "aws_ecr_registry_policy": "policy",
    "aws_ecr_repository_creation_template": "repository_policy",
    "aws_ecr_repository_policy": "policy",
    "aws_ecrpublic_repository_policy": "policy",
    "aws_efs_file_system_policy": "policy",
    "aws_elasticsearch_domain": "access_policies",
    "aws_elasticsearch_domain_policy": "access_policies",
    "aws_glacier_vault": "access_policy",
    "aws_glue_resource_policy": "policy",
    "aws_kinesis_resource_policy": "policy",
    "aws_kms_external_key": "policy",
    "aws_kms_key": "policy",
    "aws_kms_key_policy": "policy",
    "aws_kms_replica_external_key": "policy",
    "aws_kms_replica_key": "policy",
    "aws_media_store_container_policy": "policy",
    "aws_msk_cluster_policy": "policy",
    "aws_networkfirewall_resource_policy": "policy",
    "aws_oam_sink_policy": "policy",
    "aws_opensearch_domain": "access_policies",
    "aws_opensearch_domain_policy": "access_policies",
    "aws_organizations_resource_policy": "content",
    "aws_redshift_resource_policy": "policy",
    "aws_redshiftserverless_resource_policy": "policy",
    "aws_s3_access_point": "policy",
    "aws_s3_bucket": "policy",
    "aws_s3_bucket_policy": "policy",
    "aws_s3control_access_grants_instance_resource_policy": "policy",
    "aws_s3control_access_point_policy": "policy",
    "aws_s3control_bucket_policy": "policy",
    "aws_s3control_object_lambda_access_point_policy": "policy",
    "aws_s3tables_table_bucket_policy": "resource_policy",
    "aws_s3tables_table_policy": "resource_policy",
    "aws_sagemaker_model_package_group_policy": "resource_policy",
    "aws_schemas_registry_policy": "policy",
    "aws_secretsmanager_secret": "policy",
    "aws_secretsmanager_secret_policy": "policy",
    "aws_ses_identity_policy": "policy",
    "aws_sesv2_email_identity_policy": "policy",
    "aws_sns_topic": "policy",
    "aws_sns_topic_policy": "policy",
    "aws_sqs_queue": "policy",
    "aws_sqs_queue_policy": "policy",
    "aws_vpclattice_resource_policy": "policy",
    "aws_xray_resource_policy": "policy_document",
}

#: The same in templates, by CloudFormation's types and properties.
IN_TEMPLATE: Final[Mapping[str, str]] = {
    "AWS::ECR::RegistryPolicy": "PolicyText",
    "AWS::ECR::Repository": "RepositoryPolicyText",
    "AWS::EFS::FileSystem": "FileSystemPolicy",
    "AWS::KMS::Key": "KeyPolicy",
    "AWS::KMS::ReplicaKey": "KeyPolicy",
    "AWS::S3::AccessPoint": "Policy",
    "AWS::S3::BucketPolicy": "PolicyDocument",
    "AWS::SNS::TopicPolicy": "PolicyDocument",
    "AWS::SQS::QueuePolicy": "PolicyDocument",
    "AWS::SecretsManager::ResourcePolicy": "ResourcePolicy",
}

#: Keys that bind a caller to an account, an organisation or a network; beside those of every statement the ones that
#: services add (KMS, SNS, S3; service authorization reference, 2026-11-30).
_KEYS: Final = WHO | {
    "aws:sourceorgpaths",
    "aws:sourceowner",
    "aws:sourcevpc",
    "aws:sourcevpce",
    "kms:calleraccount",
    "s3:dataaccesspointaccount",
}


def resource_statements(change: Change, context: Context, doubts: Doubts) -> Iterator[Statement]:
    """Every statement of the resource policies of a change; what cannot be read goes to ``doubts``."""
    if change.type == STACK:
        for made in made_by(change):
            if name := IN_TEMPLATE.get(made.type):
                with doubts:
                    yield from policy_in_template(made.properties.get(name), made.path(name))
    elif name := POLICIES.get(change.type):
        value = change.after.get(name)
        if value.is_unknown and not context.configuration.writes(change, name):
            return  # nobody wrote one: the service's default, which is for the account alone
        with doubts:
            yield from policy_in(value)


def is_open(statement: Statement) -> State:
    """Whether it lets everybody in: principal ``*`` or NotPrincipal, and no condition that binds who comes."""
    bound = any_of((statement.bound_by(_KEYS), *(_binds_by_network(one) for one in statement.conditions)), bool)
    return both(statement.for_everybody, opposite(bound))


def _binds_by_network(condition: Condition) -> State:
    """``aws:SourceIp`` with ranges that are not the internet; mounting EFS by its target, which lies in the VPC.

    Not ``aws:VpcSourceIp``: a private address is one in every VPC of the world that has its range.
    """
    operator, key, values = condition
    if isinstance(operator, Unknown) or isinstance(key, Unknown):
        return UNKNOWN
    known = [value.lower() for value in values if isinstance(value, str)]
    if (operator.lower(), key.lower()) == ("bool", "elasticfilesystem:accessedviamounttarget"):
        return known == ["true"]
    if operator.lower() != "ipaddress" or key.lower() != "aws:sourceip" or not values:
        return False
    ranges = [network(value) for value in known]
    if any(one is None for one in ranges) or whom(one for one in ranges if one is not None):
        return False
    return UNKNOWN if len(known) < len(values) else True
