"""A platform that hawser does not make: its values fit account, region and target, and nothing is said twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hawser.contract.checks.access import region_facts
from hawser.contract.checks.rule import rule
from hawser.contract.checks.storage import key_of_the_region
from hawser.contract.draft import Draft
from hawser.contract.problems import Problem, shown
from hawser.contract.wording import CLUSTER, WORDING

_EXISTING: Final = ("platform", "existing")
#: What describes a platform that hawser makes, and what that is.
_MADE: Final = {"network": "a VPC", "cluster": "an EKS cluster"}
#: Issuer of an EKS cluster: ``oidc.eks.<region>.amazonaws.com``, or ``oidc-eks.<region>.api.aws`` when it has IPv6. EKS
#: user guide, IAM OIDC provider, 2026-11-30.
_OIDC: Final = re.compile(
    r"arn:([a-z-]+):iam::([0-9]{12}):oidc-provider/oidc[.-]eks\.([a-z0-9-]+)\.[a-z.]+/id/[0-9A-Za-z]+"
)
_ROLE: Final = re.compile(r"arn:([a-z-]+):iam::([0-9]{12}):role/[0-9A-Za-z+=,.@_/-]+")


@rule(
    "Nothing describes a platform to be made where one exists.",
    "It would be ignored: the platform stack of such an environment is not planned.",
)
def said_once(draft: Draft) -> Iterator[Problem]:
    """``network`` and ``cluster`` beside ``platform``."""
    for field, what in _MADE.items() if draft.existing else ():
        if draft.has(field):
            expected = f"no {field} with platform.existing: it describes {what} that hawser makes"
            yield draft.problem((field,), expected, "remove it", found="this block")


@rule("Each zone has a subnet of its own.", "A subnet lies in one zone, so nodes would start in the wrong one.")
def subnets_apart(draft: Draft) -> Iterator[Problem]:
    """Values of ``subnets_by_zone_id``."""
    zones: dict[str, str] = {}
    for zone, subnet in draft.pairs(*_EXISTING, "subnets_by_zone_id").items():
        if subnet in zones:
            expected = f"another subnet than that of {shown(zones[subnet])}"
            path = (*_EXISTING, "subnets_by_zone_id", zone)
            yield draft.problem(path, expected, "take the subnet that lies in this zone: aws ec2 describe-subnets")
        zones.setdefault(subnet, zone)


@rule("The two security groups are two.", "EC2 refuses a network interface that names one group twice.")
def groups_apart(draft: Draft) -> Iterator[Problem]:
    """``security_group_ids``."""
    path = (*_EXISTING, "security_group_ids")
    if draft.text(*path, "cluster") == draft.text(*path, "efa"):
        expected = "another group than that of the cluster"
        yield draft.problem((*path, "efa"), expected, "make one with modules/efa-security-group")


@rule("The OIDC provider is that of an EKS cluster here.", "Roles that trust another issuer can be assumed by nobody.")
def oidc_provider(draft: Draft) -> Iterator[Problem]:
    """``oidc_provider_arn``."""
    region, account = region_facts(draft), draft.text("account_id")
    found = _OIDC.fullmatch(draft.text(*_EXISTING, "oidc_provider_arn"))
    if found is None or found.groups() != (region.partition, account, region.name):
        provider = f"oidc-provider/oidc.eks.{region.name}.amazonaws.com/id/<id>"
        expected = f"arn:{region.partition}:iam::{account}:{provider}, or oidc-eks.{region.name}.api.aws"
        fix = "take it from aws iam list-open-id-connect-providers"
        yield draft.problem((*_EXISTING, "oidc_provider_arn"), expected, fix)


@rule("The data key is a KMS key of the region.", "EBS, S3 and the scheduler can only use a key of their own region.")
def data_key(draft: Draft) -> Iterator[Problem]:
    """``data_kms_key_arn``."""
    yield from key_of_the_region(draft, (*_EXISTING, "data_kms_key_arn"))


@rule("CloudFormation's role is a role of the account.", "CloudFormation takes no role of another account.")
def cloudformation_role(draft: Draft) -> Iterator[Problem]:
    """``cloudformation_role_arn``, which hyperpod needs. On eks it may stay: an older hyperpod stack may need it."""
    if not draft.existing:
        return
    partition, account = region_facts(draft).partition, draft.text("account_id")
    path, expected = (*_EXISTING, "cloudformation_role_arn"), f"arn:{partition}:iam::{account}:role/<name>"
    fix = "write the ARN of a role like that of terraform/platform/cloudformation_role.tf"
    if not draft.has(*path):
        if draft.text("target") == "hyperpod":
            yield draft.problem(path, f"{expected}, with target: hyperpod", fix)
        return
    found = _ROLE.fullmatch(draft.text(*path))
    if found is None or found.groups() != (partition, account):
        yield draft.problem(path, expected, fix)


@rule("The topic of alarms is an SNS topic of the region.", "CloudWatch tells only topics of its own region.")
def alerts_topic(draft: Draft) -> Iterator[Problem]:
    """``alerts_topic_arn``, where one is given."""
    path = (*_EXISTING, "alerts_topic_arn")
    if not draft.existing or not draft.has(*path):
        return
    start = f"arn:{region_facts(draft).partition}:sns:{draft.text('region')}:{draft.text('account_id')}:"
    if not re.fullmatch(f"{re.escape(start)}[A-Za-z0-9_-]+", draft.text(*path)):
        yield draft.problem(path, f"{start}<name>, not a .fifo topic", "take it from aws sns list-topics")


@rule(
    "HyperPod can be called like the EKS cluster.",
    "Its cluster, its role and a bucket are named after the EKS cluster, which cannot be renamed.",
)
def hyperpod_name(draft: Draft) -> Iterator[Problem]:
    """``cluster_name`` on hyperpod."""
    name = draft.text(*_EXISTING, "cluster_name")
    if draft.text("target") == "hyperpod" and not re.fullmatch(CLUSTER, name):
        expected = f"{WORDING[CLUSTER].expected}, with target: hyperpod"
        yield draft.problem((*_EXISTING, "cluster_name"), expected, "use another EKS cluster, or set target: eks")
