"""What platform hands over, and when a later plan is only speculative."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hawser.contract import load_deployment
from hawser.contract.deployment import ExistingPlatform
from hawser.terraform.handoff import PLACEHOLDERS, from_existing, from_outputs, upstream
from hawser.terraform.plan import Plan, read_plan

ZONES = ("usw2-az2", "usw2-az1")


def platform(**outputs: dict[str, Any]) -> Plan:
    document = {
        "format_version": "1.2", "terraform_version": "1.11.4", "complete": True, "errored": False, "applyable": False,
        "planned_values": {}, "resource_changes": [], "output_changes": outputs,
    }  # fmt: skip
    return read_plan(json.dumps(document).encode(), "platform")


def change(actions: str, before: Any = None, after: Any = None, unknown: Any = False) -> dict[str, Any]:
    return {"actions": [actions], "before": before, "after": after, "after_unknown": unknown}


def test_unchanged_outputs_are_final() -> None:
    given = upstream(["vpc_id"], platform(vpc_id=change("no-op", "vpc-1", "vpc-1")), ZONES)
    assert (given.values, given.speculative, given.placeholders) == ({"vpc_id": "vpc-1"}, False, frozenset())


def test_a_known_change_is_used_but_not_final() -> None:
    given = upstream(["vpc_id"], platform(vpc_id=change("update", "vpc-1", "vpc-2")), ZONES)
    assert given.values == {"vpc_id": "vpc-2"}
    assert given.not_final == ("vpc_id",)
    assert given.placeholders


@pytest.mark.parametrize(
    "output", [change("create", unknown=True), change("update", "vpc-1", unknown=True), change("delete", "vpc-1")]
)
def test_what_is_not_known_gets_its_placeholder(output: dict[str, Any]) -> None:
    given = upstream(["vpc_id"], platform(vpc_id=output), ZONES)
    assert given.values == {"vpc_id": PLACEHOLDERS["vpc_id"]}
    assert given.speculative


def test_a_missing_output_is_not_final() -> None:
    assert upstream(["vpc_id"], platform(), ZONES).not_final == ("vpc_id",)


def test_a_map_with_one_unknown_is_replaced_whole_with_the_zones_of_the_environment() -> None:
    output = change("update", {"usw2-az1": "subnet-1"}, {"usw2-az1": "subnet-1"}, {"usw2-az2": True})
    given = upstream(["node_subnet_ids"], platform(node_subnet_ids=output), ZONES)
    assert given.values == {"node_subnet_ids": dict.fromkeys(sorted(ZONES), PLACEHOLDERS["node_subnet_ids"])}


def test_the_file_is_deterministic() -> None:
    plan = platform(vpc_id=change("no-op", "v", "v"), cluster_name=change("no-op", "c", "c"))
    assert (
        upstream(["vpc_id", "cluster_name"], plan, ZONES).tfvars()
        == upstream(["cluster_name", "vpc_id"], plan, ZONES).tfvars()
    )


def test_outputs_as_terraform_prints_them() -> None:
    printed = json.dumps({"vpc_id": {"value": "vpc-1", "type": "string", "sensitive": False}}).encode()
    assert from_outputs(["vpc_id", "cluster_name"], printed) == {"vpc_id": "vpc-1"}
    assert from_outputs(["vpc_id"], b"") == {}
    with pytest.raises(ValueError, match="object"):
        from_outputs(["vpc_id"], b"[]")


EXISTING = ExistingPlatform(
    cluster_name="shared",
    vpc_id="vpc-1",
    subnets_by_zone_id={"usw2-az1": "subnet-1"},
    cluster_security_group_id="sg-1",
    efa_security_group_id="sg-2",
    oidc_provider_arn="arn:aws:iam::111122223333:oidc-provider/x",
    data_kms_key_arn="arn:aws:kms:us-west-2:111122223333:key/x",
    cloudformation_role_arn="arn:aws:iam::111122223333:role/x",
    alerts_topic_arn="arn:aws:sns:us-west-2:111122223333:x",
    host_log_group="/aws/containerinsights/shared/host",
)


def test_an_existing_platform_gives_everything_that_is_consumed_and_all_of_it_is_final() -> None:
    environment = load_deployment(Path(__file__).parents[2], "prod").environment
    given = from_existing(PLACEHOLDERS, EXISTING, environment)
    assert (set(given.values), given.speculative, given.placeholders) == (set(PLACEHOLDERS), False, frozenset())
    assert {name: given.values[name] for name in ("node_subnet_ids", "cluster_arn", "efa_security_group_id")} == {
        "node_subnet_ids": {"usw2-az1": "subnet-1"},
        "cluster_arn": "arn:aws:eks:us-west-2:111122223333:cluster/shared",
        "efa_security_group_id": "sg-2",
    }
    optional = {"cloudformation_role_arn", "alerts_topic_arn", "host_log_group"}
    without = from_existing(PLACEHOLDERS, replace(EXISTING, **dict.fromkeys(optional)), environment)
    assert set(PLACEHOLDERS) - set(without.values) == optional
