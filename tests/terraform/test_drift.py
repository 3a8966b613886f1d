"""Drift is told from the echo of our own resources by proof: the resource, of that object, with that value."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.handmade_plans import document, entry

from hawser.terraform.drift import completed, drifted

TLS = {"Effect": "Deny", "Action": "s3:*", "Resource": ["a", "b"], "Principal": "*"}
OTHER = {"Effect": "Allow", "Action": "s3:*", "Resource": "a", "Principal": "*"}
KMS = [{"sse_algorithm": "aws:kms", "kms_master_key_id": "key"}]


def policy(*statements: dict[str, Any]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


def bucket(**more: Any) -> dict[str, Any]:
    return {"id": "weights", "bucket": "weights", "arn": "arn:aws:s3:::weights", **more}


def of_bucket(type_: str, **more: Any) -> dict[str, Any]:
    return standing(type_, {"id": "weights", "bucket": "weights", **more})


def standing(type_: str, value: dict[str, Any]) -> dict[str, Any]:
    return entry(f"{type_}.own", ["no-op"], value, value)


def role(**more: Any) -> dict[str, Any]:
    return {"id": "node", "name": "node", **more}


def group(**more: Any) -> dict[str, Any]:
    return {"id": "sg-1", **more}


INGRESS = {"protocol": "tcp", "from_port": 443, "to_port": 443, "cidr_blocks": ["10.0.0.0/8"]}
RULE = {"ip_protocol": "tcp", "from_port": 443, "to_port": 443, "cidr_ipv4": "10.0.0.0/8"}

#: Type, before and after of the drift, the resource that explains it, and one that nearly does.
ECHOES: dict[str, tuple[str, dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "bucket policy": (
        "aws_s3_bucket",
        bucket(policy=""),
        bucket(policy=policy({**TLS, "Resource": ["b", "a"]})),
        of_bucket("aws_s3_bucket_policy", policy=policy(TLS)),
        of_bucket("aws_s3_bucket_policy", policy=policy(TLS, OTHER)),
    ),
    "versioning": (
        "aws_s3_bucket",
        bucket(versioning=[{"enabled": False, "mfa_delete": False}]),
        bucket(versioning=[{"enabled": True, "mfa_delete": False}]),
        of_bucket("aws_s3_bucket_versioning", versioning_configuration=[{"status": "Enabled", "mfa_delete": ""}]),
        of_bucket("aws_s3_bucket_versioning", versioning_configuration=[{"status": "Suspended"}]),
    ),
    "encryption": (
        "aws_s3_bucket",
        bucket(server_side_encryption_configuration=[]),
        bucket(
            server_side_encryption_configuration=[
                {"rule": [{"apply_server_side_encryption_by_default": KMS, "bucket_key_enabled": True}]}
            ]
        ),
        of_bucket(
            "aws_s3_bucket_server_side_encryption_configuration",
            rule=[{"apply_server_side_encryption_by_default": KMS, "bucket_key_enabled": True}],
        ),
        of_bucket(
            "aws_s3_bucket_server_side_encryption_configuration",
            rule=[
                {
                    "apply_server_side_encryption_by_default": [{"sse_algorithm": "AES256", "kms_master_key_id": ""}],
                    "bucket_key_enabled": True,
                }
            ],
        ),
    ),
    "lifecycle": (
        "aws_s3_bucket",
        bucket(lifecycle_rule=[]),
        bucket(lifecycle_rule=[{"id": "old", "enabled": True}]),
        of_bucket("aws_s3_bucket_lifecycle_configuration", rule=[{"id": "old", "status": "Enabled"}]),
        of_bucket("aws_s3_bucket_lifecycle_configuration", rule=[{"id": "other", "status": "Enabled"}]),
    ),
    "inline policy": (
        "aws_iam_role",
        role(inline_policy=[]),
        role(inline_policy=[{"name": "read", "policy": policy(OTHER)}]),
        standing("aws_iam_role_policy", {"role": "node", "name": "read", "policy": policy(OTHER)}),
        standing("aws_iam_role_policy", {"role": "other", "name": "read", "policy": policy(OTHER)}),
    ),
    "attached policy": (
        "aws_iam_role",
        role(managed_policy_arns=[]),
        role(managed_policy_arns=["arn:1"]),
        standing("aws_iam_role_policy_attachment", {"role": "node", "policy_arn": "arn:1"}),
        standing("aws_iam_role_policy_attachment", {"role": "node", "policy_arn": "arn:2"}),
    ),
    "attachments of a policy": (
        "aws_iam_policy",
        {"arn": "arn:1", "attachment_count": 0},
        {"arn": "arn:1", "attachment_count": 1},
        standing("aws_iam_role_policy_attachment", {"role": "node", "policy_arn": "arn:1"}),
        standing("aws_iam_role_policy_attachment", {"role": "node", "policy_arn": "arn:2"}),
    ),
    "rules of a group": (
        "aws_security_group",
        group(ingress=[]),
        group(ingress=[INGRESS]),
        standing("aws_vpc_security_group_ingress_rule", {"security_group_id": "sg-1", **RULE}),
        standing("aws_vpc_security_group_ingress_rule", {"security_group_id": "sg-1", **RULE, "to_port": 444}),
    ),
}


def judged(
    type_: str, before: Any, after: Any, *others: dict[str, Any], actions: str = "update"
) -> tuple[list[str], int]:
    change = entry(f"{type_}.x", [actions], before, after)
    stands = entry(f"{type_}.x", ["no-op"], after, after) if after is not None else entry(f"{type_}.x", ["create"])
    read = document(stands, *others, resource_drift=[change])
    return drifted(read), completed(read)


@pytest.mark.parametrize("name", ECHOES)
def test_an_echo_needs_its_resource_with_its_value(name: str) -> None:
    type_, before, after, own, nearly = ECHOES[name]
    assert judged(type_, before, after, own) == ([], 1)
    assert judged(type_, before, after, nearly) == ([f"{type_}.x"], 0)
    assert judged(type_, before, after) == ([f"{type_}.x"], 0)


@pytest.mark.parametrize("name", ECHOES)
def test_an_echo_excuses_nothing_else(name: str) -> None:
    type_, before, after, own, _ = ECHOES[name]
    assert judged(type_, {**before, "path": "/"}, {**after, "path": "/x/"}, own) == ([f"{type_}.x"], 0)


def test_one_more_policy_than_our_own_is_drift() -> None:
    type_, before, after, own, _ = ECHOES["inline policy"]
    more = role(inline_policy=[*after["inline_policy"], {"name": "x", "policy": policy(OTHER)}])
    assert judged(type_, before, more, own) == ([f"{type_}.x"], 0)
    type_, before, after, own, _ = ECHOES["attachments of a policy"]
    assert judged(type_, before, {**after, "attachment_count": 2}, own) == ([f"{type_}.x"], 0)


def test_what_was_empty_is_completed_only_where_no_right_hangs_on_it() -> None:
    assert judged("aws_eks_cluster", {"certificate": None}, {"certificate": "x"}) == ([], 1)
    assert judged("aws_eks_cluster", {"tags": None}, {"tags": {}}) == ([], 1)
    assert judged("aws_ecr_repository_policy", {"policy": ""}, {"policy": "{}"}) == (["aws_ecr_repository_policy.x"], 0)
    assert judged("aws_eks_access_entry", {"kubernetes_groups": []}, {"kubernetes_groups": ["system:masters"]})[1] == 0


def test_what_is_gone_is_drift() -> None:
    assert judged("aws_s3_bucket", bucket(), None, actions="delete") == (["aws_s3_bucket.x"], 0)


def test_odd_entries_are_drift_and_no_fault() -> None:
    read = document(resource_drift=[{"address": "aws_a.b"}, {"address": "aws_c.d", "change": None}, "x", 7])
    assert (drifted(read), completed(read)) == (["aws_a.b", "aws_c.d"], 0)


def test_one_empty_value_for_another_is_no_drift_however_deep() -> None:
    before = {"id": "k3", "tags": None, "vpc_config": [{"security_group_ids": None, "subnet_ids": ["subnet-1"]}]}
    after = {"id": "k3", "tags": {}, "vpc_config": [{"security_group_ids": [], "subnet_ids": ["subnet-1"]}]}
    for value, said in ((after, []), ({**after, "vpc_config": [{"subnet_ids": ["subnet-2"]}]}, ["aws_eks_cluster.x"])):
        found = document(
            entry("aws_eks_cluster.x", ["no-op"], value, value),
            resource_drift=[entry("aws_eks_cluster.x", ["update"], before, value)],
        )
        assert drifted(found) == said
