"""Every IAM policy of every stack: real actions, on resources and conditions that they know, in any partition.

The plans are made by the real provider in a region of aws-us-gov: what still says ``arn:aws:`` was written by hand.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from iam_statements import documents, faults
from tests.terraform.offline_plan import planned

#: Stack => the environment whose plan has most of it (a closed network, two pools, a Capacity Block), and how many
#: policies that plan has at least.
PLANNED = {"bootstrap": ("local", 15), "platform": ("dev", 14), "hyperpod": ("local-hyperpod", 10), "eks": ("prod", 3)}

ON_ALL = r".* knows resources and is allowed on all"

#: Of bootstrap, sentences about a policy that are no faults there. The boundary gives nothing: it is wide, so that it
#: fits into 6,144 characters, and the policies beside it are narrow. Reads of settings are on everything, as nothing
#: of the stacks has a name that can be told beforehand (and the account is the border anyway). EC2 knows resources for
#: what is made, but the id of a new one is not known, and the other half of each call is an existing network's.
EXCEPTIONS = (
    (
        r'aws_iam_policy\.apply_boundary\["ci"\]: \w+',
        rf"{ON_ALL}|allows (budgets|s3):\*|.* works on none of its resources",
    ),
    (r'aws_iam_policy\.describe\["ci"\]: Describe', ON_ALL),
    (r'aws_iam_policy\.apply\["network"\]: Network', ON_ALL),
)

#: Types whose policy AWS computes when none is given.
COMPUTED = {"aws_vpc_endpoint", "aws_s3_bucket"}

GOV = (("arn:aws:", "arn:aws-us-gov:"), ("us-west-2", "us-gov-west-1"), ("usw2-", "usgw1-"))


def excepted(sentence: str) -> bool:
    return any(re.fullmatch(f"{where}: (?:{what})", sentence) for where, what in EXCEPTIONS)


@pytest.mark.terraform
@pytest.mark.parametrize("stack", PLANNED)
def test_the_policies_of_a_stack(stack: str, tmp_path: Path, provider: dict[str, str]) -> None:
    changes = [
        change
        for change in planned(stack, PLANNED[stack][0], tmp_path, provider, {}, GOV)
        if change["mode"] == "managed"
    ]
    assert "arn:aws:" not in json.dumps(changes)
    found: list[str] = []
    policies = 0
    for change in changes:
        address, after = change["address"], change["change"]["after"]
        unknown = {name for name in ("assume_role_policy", "policy") if change["change"]["after_unknown"].get(name)}
        if unknown and change["type"] not in COMPUTED:
            found.append(f"{address}: {', '.join(unknown)} is unknown in the first plan")
        for document in documents(after):
            policies += 1
            found += [sentence for fault in faults(document) if not excepted(sentence := f"{address}: {fault}")]
        # The apply role may rewrite or delete keys that say so.
        if change["type"] == "aws_kms_key":
            assert after["tags_all"]["stack"] == stack
        if re.search("FullAccess|AdministratorAccess|PowerUser", str(after.get("policy_arn"))):
            found.append(f"{address}: {after['policy_arn']} allows far more than is needed")
    assert policies >= PLANNED[stack][1]
    assert found == []


READ = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::weights/*"}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({}, None),
        ({"Action": "s3:GetObjekt"}, "s3:GetObjekt is no action"),
        ({"Action": ["s3:GetObject", "s4:GetObject"]}, "s4:GetObject is no action"),
        ({"Action": "s3:*"}, "allows s3:*"),
        ({"Resource": "*"}, "s3:GetObject knows resources and is allowed on all"),
        ({"Resource": "arn:aws:s3:::weights"}, "s3:GetObject works on none of its resources"),
        (
            {"Resource": ["arn:aws:s3:::weights/*", "arn:aws:kms:us-west-2:111122223333:key/1"]},
            "no action works on arn:",
        ),
        ({"Condition": {"StringEquals": {"ec2:Vpc": "vpc-1"}}}, "does not know the condition key ec2:Vpc"),
        ({"Condition": {"StringEquals": {"aws:SourceAccount": "111122223333"}}}, None),
        ({"Action": "iam:PassRole", "Resource": "arn:aws:iam::111122223333:role/a"}, "passes roles to any service"),
        (
            {
                "Action": "sagemaker:BatchAddClusterNodes",
                "Resource": "arn:aws:sagemaker:us-west-2:111122223333:cluster/*",
            },
            None,
        ),
        ({"Action": "ec2:DescribeVpcs", "Resource": "*"}, None),
        (
            {"Action": "ec2:DescribeVpcs", "Resource": "arn:aws:ec2:us-west-2:111122223333:vpc/*"},
            "ec2:DescribeVpcs works on none",
        ),
    ],
)
def test_a_fault_of_a_statement_is_found(change: dict[str, Any], fault: str | None) -> None:
    found = list(faults({"Statement": [{**READ, **change}]}))
    assert found == [] if fault is None else any(fault in sentence for sentence in found), found


def test_policies_are_found_however_deep() -> None:
    text = json.dumps({"Statement": [READ]})
    stack_policy = json.dumps({"Statement": [{"Effect": "Deny", "Action": ["Update:Replace"], "Resource": "*"}]})
    assert len(list(documents({"a": [{"policy": text}, {"body": stack_policy}, {"b": "{}"}], "c": text}))) == 2
