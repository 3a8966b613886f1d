"""The apply role of bootstrap may make what the stacks make: their roles, their kinds of resources, AWS's policies."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from tests.terraform.running import ROOT

SOURCES = {
    file: file.read_text(encoding="utf-8")
    for file in (*ROOT.glob("terraform/*/*.tf"), *ROOT.glob("modules/*/*.tf"))
    if file.parent.name != "bootstrap"
}
BOOTSTRAP = {file.name: file.read_text(encoding="utf-8") for file in (ROOT / "terraform/bootstrap").glob("apply_*.tf")}

#: Resource type => what making one asks of AWS (service authorization reference, 2026-11-30).
CREATES = {
    "aws_budgets_budget": "budgets:ModifyBudget", "aws_cloudformation_stack": "cloudformation:CreateStack",
    "aws_cloudwatch_log_group": "logs:CreateLogGroup", "aws_cloudwatch_log_metric_filter": "logs:PutMetricFilter",
    "aws_cloudwatch_metric_alarm": "cloudwatch:PutMetricAlarm",
    "aws_default_security_group": "ec2:RevokeSecurityGroupIngress", "aws_eip": "ec2:AllocateAddress",
    "aws_eks_access_entry": "eks:CreateAccessEntry", "aws_eks_access_policy_association": "eks:AssociateAccessPolicy",
    "aws_eks_addon": "eks:CreateAddon", "aws_eks_cluster": "eks:CreateCluster",
    "aws_eks_node_group": "eks:CreateNodegroup",
    "aws_eks_pod_identity_association": "eks:CreatePodIdentityAssociation", "aws_flow_log": "ec2:CreateFlowLogs",
    "aws_fsx_data_repository_association": "fsx:CreateDataRepositoryAssociation",
    "aws_fsx_lustre_file_system": "fsx:CreateFileSystem",
    "aws_iam_openid_connect_provider": "iam:CreateOpenIDConnectProvider", "aws_iam_role": "iam:CreateRole",
    "aws_iam_role_policy": "iam:PutRolePolicy", "aws_iam_role_policy_attachment": "iam:AttachRolePolicy",
    "aws_internet_gateway": "ec2:CreateInternetGateway", "aws_kms_alias": "kms:CreateAlias",
    "aws_kms_key": "kms:CreateKey", "aws_launch_template": "ec2:CreateLaunchTemplate",
    "aws_nat_gateway": "ec2:CreateNatGateway", "aws_prometheus_workspace": "aps:CreateWorkspace",
    "aws_route": "ec2:CreateRoute", "aws_route_table": "ec2:CreateRouteTable",
    "aws_route_table_association": "ec2:AssociateRouteTable", "aws_s3_bucket": "s3:CreateBucket",
    "aws_s3_bucket_lifecycle_configuration": "s3:PutLifecycleConfiguration",
    "aws_s3_bucket_logging": "s3:PutBucketLogging",
    "aws_s3_bucket_ownership_controls": "s3:PutBucketOwnershipControls", "aws_s3_bucket_policy": "s3:PutBucketPolicy",
    "aws_s3_bucket_public_access_block": "s3:PutBucketPublicAccessBlock",
    "aws_s3_bucket_server_side_encryption_configuration": "s3:PutEncryptionConfiguration",
    "aws_s3_bucket_versioning": "s3:PutBucketVersioning", "aws_s3_object": "s3:PutObject",
    "aws_scheduler_schedule": "scheduler:CreateSchedule", "aws_security_group": "ec2:CreateSecurityGroup",
    "aws_sns_topic": "sns:CreateTopic", "aws_sns_topic_subscription": "sns:Subscribe",
    "aws_subnet": "ec2:CreateSubnet", "aws_vpc": "ec2:CreateVpc", "aws_vpc_endpoint": "ec2:CreateVpcEndpoint",
    "aws_vpc_security_group_egress_rule": "ec2:AuthorizeSecurityGroupEgress",
    "aws_vpc_security_group_ingress_rule": "ec2:AuthorizeSecurityGroupIngress",
}  # fmt: skip

#: Modules that make a role of the name that they are given.
ROLE_MODULES = "(?:hyperpod-execution|irsa|pod-identity|serving)-role"


def listed(name: str) -> set[str]:
    """The texts in ``for <name> in [...]`` of the apply role, in the list that holds ``role/`` or ``policy/``."""
    found = re.search(
        r"for name in \[([^\]]*)\] : \"\$\{local\.iam_arn\}:role/"
        if name == "roles"
        else r"for name in \[([^\]]*)\] : \"arn:\$\{local\.partition\}:iam::aws:policy/",
        BOOTSTRAP["apply_role.tf"],
    )
    assert found
    return set(re.findall(r'"([^"]+)"', found[1]))


def allowed(file: str) -> set[str]:
    """Patterns of the actions that the documents in a file of bootstrap allow."""
    return set(re.findall(r'"([a-z0-9]+:[A-Za-z*]+)"', BOOTSTRAP[file]))


def roles() -> set[str]:
    """Names of the roles that stacks and modules make, with ``*`` for what is filled in."""
    found = set()
    for text in SOURCES.values():
        local = dict(re.findall(r'^  (\w+) += "(.*)"$', text, re.MULTILINE))
        blocks = re.findall(r"^(?:resource|module) [^\n]*\{\n.*?^\}", text, re.MULTILINE | re.DOTALL)
        for block in blocks:
            is_role = block.startswith('resource "aws_iam_role" ') or re.search(
                rf'source += ".*/{ROLE_MODULES}"', block
            )
            if is_role and (name := re.search(r'^  name += (?:"(.*)"|local\.(\w+))$', block, re.MULTILINE)):
                found.add(re.sub(r"\$\{[^}]*\}", "*", name[1] or local[name[2]]))
    return found


def test_every_role_that_a_stack_makes_may_be_made() -> None:
    made = roles()
    assert len(made) >= 14
    assert {name for name in made if not any(fnmatchcase(name, pattern) for pattern in listed("roles"))} == set()
    assert {p for p in listed("roles") if not any(fnmatchcase(name, p) for name in made)} == set()


def test_every_policy_of_aws_that_a_stack_attaches_may_be_attached() -> None:
    texts = "\n".join(SOURCES.values())
    attached = set(re.findall(r'iam::aws:policy/([\w/-]+)"', texts))
    attached |= set(re.findall(r'^    "((?:service-role/)?Amazon\w+)"', texts, re.MULTILINE))
    assert attached == listed("policies")


def test_every_kind_of_resource_may_be_made_by_the_role_and_within_its_boundary() -> None:
    types = set(re.findall(r'^resource "(aws_\w+)"', "\n".join(SOURCES.values()), re.MULTILINE))
    assert types == set(CREATES)
    own = set().union(*(allowed(file) for file in BOOTSTRAP if file != "apply_boundary.tf"))
    for patterns in (own, own & {p for p in own if p.startswith(("iam:", "kms:"))} | allowed("apply_boundary.tf")):
        refused = {t: a for t, a in CREATES.items() if not any(fnmatchcase(a, p) for p in patterns)}
        assert refused == {}
