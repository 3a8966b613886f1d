"""An environment on a platform that is there already: what it must give, and what it must not say."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import yaml
from inputs import ROOT, edited, line_of, load, problems
from jsonschema import Draft202012Validator

from hawser.contract.schema import json_schemas

TEXT = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/existing-platform.md").read_text(encoding="utf-8"), re.DOTALL)[0]
MADE = (ROOT / "environments/prod/env.yaml").read_text(encoding="utf-8")
NETWORK = MADE[MADE.index("network:") : MADE.index("cluster:")]
CLUSTER = MADE[MADE.index("cluster:") : MADE.index("state:")]
HYPERPOD = (
    ("target: eks", "target: hyperpod"),
    ("kind: capacity-block", "kind: training-plan"),
    (
        "reservation_id: cr-0123456789abcdef0",
        "training_plan_arn: arn:aws:sagemaker:us-west-2:111122223333:training-plan/kimi-k3-example",
    ),
)
EFA = "      efa: sg-0fedcba9876543210\n"
KEY = "    data_kms_key_arn: arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab\n"
ROLE = "    cloudformation_role_arn: {}\n"


def schema() -> Draft202012Validator:
    found: dict[str, Any] = json.loads(json_schemas()["env.schema.json"])
    return Draft202012Validator(found)


def test_the_example_of_the_document_is_valid() -> None:
    environment = load(env=TEXT, name="shared").environment
    assert environment.existing is not None
    assert (environment.network, environment.cluster) == (None, None)
    assert environment.cluster_name == "shared-eks"
    assert environment.node_zones == ("usw2-az1", "usw2-az2")
    schema().validate(yaml.safe_load(TEXT))


@pytest.mark.parametrize(
    ("edits", "at", "path", "says"),
    [
        ((("cluster_name:", "cluster_nam:"),), "cluster_nam:", "cluster_nam", "rename it to cluster_name"),
        ((("shared-eks\n", "arn:aws:eks:x\n"),), "cluster_name", "cluster_name", "the name, not the ARN"),
        ((("vpc-0123456789abcdef0", "vpc-0123456789"),), "vpc_id", "vpc_id", "8 or 17 hex digits"),
        (
            (("az1: subnet-0123456789abcdef0", "az1: subnet-0123456789ABCDEF0"),),
            "subnet-0123456789ABCDEF0", "subnets_by_zone_id.usw2-az1", "8 or 17 hex digits",
        ),
        (
            (("      usw2-az1: subnet", "      us-west-2a: subnet"),),
            "us-west-2a", "subnets_by_zone_id.us-west-2a", "not a zone name",
        ),
        ((("efa: sg-0fedcba9876543210", "efa: default"),), "efa:", "security_group_ids.efa", "not the name"),
        ((("efa: sg-0fedcba9876543210", "efs: sg-00112233"),), "efs:", "security_group_ids.efs", "rename it to efa"),
        (
            (("oidc.eks.us-west-2", "oidc.eks.us-east-1"),),
            "oidc_provider_arn", "oidc_provider_arn", "oidc.eks.us-west-2.amazonaws.com/id/<id>",
        ),
        (((KEY, ""),), "existing:", "data_kms_key_arn", "add the line"),
        (HYPERPOD, "existing:", "cloudformation_role_arn", "with target: hyperpod"),
    ],
)  # fmt: skip
def test_one_mistake_is_one_problem_at_its_line(
    edits: tuple[tuple[str, str], ...], at: str, path: str, says: str
) -> None:
    text = edited(TEXT, *edits)
    (problem,) = problems(env=text, name="shared")
    assert (problem.place.line, problem.path) == (line_of(text, at), f"platform.existing.{path}")
    assert says in str(problem)


def test_a_pool_needs_a_subnet_in_its_zone() -> None:
    text = edited(TEXT, ("zone_id: usw2-az2", "zone_id: usw2-az3"))
    (problem,) = problems(env=text, name="shared")
    assert problem.path == "capacity.k3-block-a.zone_id"
    assert "a zone of platform.existing.subnets_by_zone_id (usw2-az1, usw2-az2)" in str(problem)


def test_what_hawser_would_make_is_refused_and_its_insides_do_not_matter() -> None:
    text = TEXT.replace(
        "state:\n", NETWORK.replace("vpc_cidr: 10.40.0.0/16", "vpc_cidr: 8.8.8.0/33") + CLUSTER + "state:\n"
    )
    found = problems(env=text, name="shared")
    assert [(p.path, p.place.line) for p in found] == [
        ("network", line_of(text, "network:\n")),
        ("cluster", line_of(text, "cluster:\n  name")),
    ]
    assert "it describes a VPC that hawser makes; fix: remove it" in str(found[0])
    assert not schema().is_valid(yaml.safe_load(text))


def test_without_it_network_and_cluster_are_required() -> None:
    text = MADE.replace(NETWORK, "").replace(CLUSTER, "")
    assert [(p.path, p.fix) for p in problems(env=text)] == [
        ("cluster", "add the line `cluster: …`"),
        ("network", "add the line `network: …`"),
    ]
    assert not schema().is_valid(yaml.safe_load(text))


def test_a_misspelt_platform_is_told_and_nothing_else() -> None:
    text = edited(TEXT, ("platform: #", "plattform: #"))
    (problem,) = problems(env=text, name="shared")
    assert problem.fix == "rename it to platform"


def test_every_mistake_is_told_at_once() -> None:
    text = edited(
        TEXT, ("vpc-0", "vpc:0"), (EFA, ""), ("kms:us-west-2", "kms:us-east-1"), ("zone_id: usw2-az2", "zone_id: x")
    )
    assert len(problems(env=text, name="shared")) == 4


@pytest.mark.parametrize(
    "edits",
    [
        (("shared-eks\n", "Shared_EKS\n"),),
        (("oidc.eks.us-west-2.amazonaws.com", "oidc-eks.us-west-2.api.aws"),),
        # An older hyperpod stack is still destroyed with it.
        ((KEY, KEY + ROLE.format("arn:aws:iam::111122223333:role/path/x")),),
        (*HYPERPOD, (KEY, KEY + ROLE.format("arn:aws:iam::111122223333:role/x"))),
    ],
)
def test_what_looks_wrong_and_is_not(edits: tuple[tuple[str, str], ...]) -> None:
    assert problems(env=edited(TEXT, *edits), name="shared") == ()
