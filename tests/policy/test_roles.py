"""Roles of a plan in words: joined to their policies, and honest about what nobody can see."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hawser.policy.iam import statements_of
from hawser.policy.registry import Context
from hawser.policy.roles import ELSEWHERE, Role, roles
from hawser.policy.statement_words import what, who, width
from hawser.terraform.plan import read_plan

HERE = Path(__file__).parent


def of_fixture(name: str) -> dict[str, Role]:
    file = HERE / f"{name}.json"
    return {role.name: role for role in roles(Context(read_plan(file.read_bytes(), file.name)))}


def words(**statement: Any) -> str:
    (one,) = statements_of({"Statement": {"Effect": "Allow", **statement}}, "policy")
    return who(one) if "Principal" in statement or "NotPrincipal" in statement else what(one)


def test_policies_are_joined_to_their_roles_however_they_are_referred_to() -> None:
    found = of_fixture("HW-IAM-001/undecidable-roles-joined-in-many-ways")
    assert list(found) == ["pool-a", "pool-b", "serving", "made-elsewhere"]
    serving = found["serving"]
    assert serving.trusted == (
        "EKS Pod Identity",
        "the account 444455556666; only if sts:ExternalId is hawser",
        "pods of the service account serving/model in the cluster hawser-prod",
    )
    assert serving.allowed == (
        "s3: GetObject, GetObjectTagging on (known after apply)",
        "logs: PutLogEvents on arn:aws:logs:us-west-2:111122223333:log-group:/serving:*",
    )
    assert serving.denied == ("s3: DeleteObject on every resource",)
    assert (serving.managed, serving.boundary) == (("logs",), "arn:aws:iam::111122223333:policy/boundary")
    (unseen,) = serving.unseen
    assert unseen.startswith("aws_iam_role_policy.read.policy: known only after apply")
    assert "data.aws_iam_policy_document.read" in unseen
    assert found["pool-a"].allowed == found["pool-b"].allowed == ("ec2: Describe* on every resource",)
    assert (found["made-elsewhere"].action, found["made-elsewhere"].changed) == (ELSEWHERE, True)


def test_roles_inside_templates_are_listed() -> None:
    role = of_fixture("HW-IAM-006/fail-in-template")["Role"]
    assert role.address == "aws_cloudformation_stack.roles: Role"
    assert role.trusted == ("the service ec2.amazonaws.com",)
    assert role.allowed == ("s3: GetObject on arn:aws:s3:::weights/*",)
    assert "arn:x:iam::aws:policy/AdministratorAccess" in role.managed


def test_exclusive_attachments_count() -> None:
    (node,) = of_fixture("HW-IAM-006/fail-exclusive-attachments").values()
    assert node.managed == (
        "arn:aws:iam::aws:policy/AdministratorAccess",
        "arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy",
    )


def test_inline_policies_out_of_sight_are_named() -> None:
    assert of_fixture("HW-IAM-001/undecidable-dynamic-inline-policy")["hidden"].unseen
    assert not of_fixture("HW-IAM-001/pass-role-without-inline-policy")["plain"].unseen


def test_a_policy_of_a_role_that_nobody_can_name_is_not_lost() -> None:
    change = {
        "address": "aws_iam_role_policy.this",
        "mode": "managed",
        "type": "aws_iam_role_policy",
        "name": "this",
        "change": {
            "actions": ["create"],
            "before": None,
            "after": {"policy": json.dumps({"Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]})},
            "after_unknown": {"role": True},
        },
    }
    document = {
        "format_version": "1.2",
        "planned_values": {},
        "complete": True,
        "errored": False,
        "applyable": True,
        "resource_changes": [change],
    }
    (role,) = roles(Context(read_plan(json.dumps(document).encode(), "test.json")))
    assert (role.name, role.allowed) == ("(known after apply)", ("every action of every service on every resource",))


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (
            {"Action": ["s3:ListBucket", "kms:Decrypt", "s3:GetObject"], "Resource": ["b", "a"]},
            "kms: Decrypt; s3: GetObject, ListBucket on a, b",
        ),
        ({"Action": "s3:*", "Resource": "*"}, "s3: every action on every resource"),
        ({"NotAction": "iam:*", "Resource": "*"}, "everything but iam: every action on every resource"),
        ({"Action": "s3:GetObject", "NotResource": "a"}, "s3: GetObject on everything but a"),
        (
            {
                "Action": "kms:Decrypt",
                "Resource": "*",
                "Condition": {"StringLike": {"kms:ViaService": ["s3.*", "a"]}},
            },
            "kms: Decrypt on every resource; only if kms:ViaService is like s3.* or a",
        ),
        (
            {
                "Action": "kms:Decrypt",
                "Resource": "*",
                "Condition": {"ForAnyValue:StringEquals": {"kms:ResourceAliases": "alias/data"}},
            },
            "kms: Decrypt on every resource; only if some of kms:ResourceAliases is alias/data",
        ),
        ({"Action": "sts:AssumeRole", "Principal": "*"}, "everybody"),
        (
            {"Action": "sts:AssumeRole", "NotPrincipal": {"AWS": "111122223333"}},
            "everybody but the account 111122223333",
        ),
        (
            {
                "Action": "sts:AssumeRoleWithWebIdentity",
                "Principal": {"Federated": "arn:aws:iam::111122223333:oidc-provider/oidc.eks.example/A"},
                "Condition": {"StringEquals": {"oidc.eks.example/A:sub": "system:serviceaccount:a:b"}},
            },
            "whoever oidc.eks.example/A vouches for; only if oidc.eks.example/A:sub is system:serviceaccount:a:b",
        ),
    ],
)
def test_statements_in_words(statement: dict[str, Any], expected: str) -> None:
    assert words(**statement) == expected


def test_to_describe_everything_is_less_than_to_pass_one_role() -> None:
    ordered: list[dict[str, Any]] = [
        {"Action": "*", "Resource": "*"},
        {"Action": ["ec2:DescribeVpcs", "ec2:CreateTags"], "Resource": "*"},
        {"Action": "s3:*", "Resource": "arn:aws:s3:::b/*"},
        {"Action": "iam:PassRole", "Resource": "arn:aws:iam::111122223333:role/a"},
        {"Action": "s3:GetObject", "Resource": "arn:aws:s3:::b/*"},
        {"Action": ["ec2:DescribeVpcs", "ec2:DescribeSubnets", "logs:ListTagsForResource"], "Resource": "*"},
    ]
    read = list(statements_of({"Statement": [{"Effect": "Allow", **one} for one in reversed(ordered)]}, "policy"))
    widest_first = sorted(read, key=width, reverse=True)
    assert [one.path for one in widest_first] == [f"policy.Statement[{index}]" for index in range(5, -1, -1)]
