"""What a node of each instance type gets, read from a plan of the eks stack by the real provider."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.terraform.offline_plan import first_plan
from tests.terraform.running import ROOT

from hawser import facts
from hawser.contract import load_deployment
from hawser.contract.deployment import Pool
from hawser.render.tfvars import tfvars
from hawser.terraform.handoff import PLACEHOLDERS
from hawser.terraform.stacks import declared, stack

ZONE = "usw2-az2"
RESERVATION = "cr-0123456789abcdef0"

#: Published counts: network cards, EFA interfaces, and whether card 0 carries EFA beside its ENA interface.
#: EC2 user guide, network interfaces for EFA-enabled instance types, 2026-11-30.
CARDS = {
    "p5.48xlarge": (32, 32, True),
    "p5e.48xlarge": (32, 32, True),
    "p5en.48xlarge": (16, 16, True),
    "p6-b200.48xlarge": (8, 8, True),
    "p6-b300.48xlarge": (17, 16, False),
}

pytestmark = pytest.mark.terraform


def name_of(instance_type: str) -> str:
    return instance_type.partition(".")[0]


def pools() -> dict[str, Pool]:
    """A Capacity Block of every type, and p5en of the two other kinds."""
    base = Pool(
        name="", instance_type="", kind="capacity-block", count=2, zone_id=ZONE, reservation_id=RESERVATION,
        training_plan_arn=None,
        start=datetime(2027, 1, 11, 11, 30, tzinfo=UTC), end=datetime(2027, 2, 8, 11, 30, tzinfo=UTC),
    )  # fmt: skip
    found = {name_of(t): replace(base, name=name_of(t), instance_type=t) for t in facts.instances()}
    always = replace(base, instance_type="p5en.48xlarge", start=None, end=None)
    found["targeted"] = replace(always, name="targeted", kind="odcr")
    found["market"] = replace(always, name="market", kind="on-demand", reservation_id=None)
    return found


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory, provider: dict[str, str]) -> dict[str, dict[str, Any]]:
    """Address to planned values, of one plan with all pools and a Lustre cache."""
    folder = tmp_path_factory.mktemp("pools")
    deployment = load_deployment(ROOT, "prod")
    deployment = replace(
        deployment,
        environment=replace(deployment.environment, capacity=pools()),
        contract=replace(deployment.contract, weights=replace(deployment.contract.weights, cache="lustre")),
    )
    consumed = {name: PLACEHOLDERS[name] for name in declared(stack(ROOT, "eks"), folder / "declared.json").upstream}
    upstream = consumed | {"node_subnet_ids": {ZONE: "subnet-0a"}, "cluster_name": "hawser-prod"}
    changes = first_plan("eks", folder, provider, json.dumps(json.loads(tfvars(deployment, "eks")) | upstream))[
        "resource_changes"
    ]
    return {change["address"]: change["change"]["after"] for change in changes}


def template(planned: dict[str, dict[str, Any]], pool: str) -> dict[str, Any]:
    return planned[f'module.pool["{pool}"].aws_launch_template.this']


def test_the_published_counts_are_of_every_type_we_know() -> None:
    assert set(CARDS) == set(facts.instances())


@pytest.mark.parametrize("instance_type", CARDS)
def test_the_interfaces_are_those_of_the_type(instance_type: str, planned: dict[str, dict[str, Any]]) -> None:
    cards, efa, shared = CARDS[instance_type]
    found = template(planned, name_of(instance_type))
    interfaces = found["network_interfaces"]
    assert found["instance_type"] == instance_type
    assert len({i["network_card_index"] for i in interfaces}) == cards
    assert sum(i["interface_type"] == "efa-only" for i in interfaces) == efa == facts.instances()[instance_type].efa
    first = [(i["device_index"], i["interface_type"]) for i in interfaces if i["network_card_index"] == 0]
    assert first == [(0, "interface"), *([(1, "efa-only")] if shared else [])]
    rest = [(i["device_index"], i["interface_type"]) for i in interfaces if i["network_card_index"] > 0]
    assert set(rest) == {(0, "efa-only")}
    assert {i["associate_public_ip_address"] for i in interfaces} == {"false"}
    groups = [PLACEHOLDERS["cluster_security_group_id"], PLACEHOLDERS["efa_security_group_id"]]
    assert all(sorted(i["security_groups"]) == groups for i in interfaces)


def test_p6_b300_on_a_block(planned: dict[str, dict[str, Any]]) -> None:
    """17 cards, the first ENA only, no placement group, the block targeted, one zone."""
    found = template(planned, "p6-b300")
    assert [(i["network_card_index"], i["device_index"], i["interface_type"]) for i in found["network_interfaces"]] == [
        (0, 0, "interface"),
        *((card, 0, "efa-only") for card in range(1, 17)),
    ]
    assert found["placement"] == []
    assert [o["market_type"] for o in found["instance_market_options"]] == ["capacity-block"]
    (specification,) = found["capacity_reservation_specification"]
    assert [t["capacity_reservation_id"] for t in specification["capacity_reservation_target"]] == [RESERVATION]
    group = planned['module.pool["p6-b300"].aws_eks_node_group.scheduled[0]']
    assert group["subnet_ids"] == ["subnet-0a"]
    assert group["capacity_type"] == "CAPACITY_BLOCK"
    assert group["scaling_config"] == [{"min_size": 0, "max_size": 2, "desired_size": 0}]
    assert group["taint"] == [{"key": "nvidia.com/gpu", "value": "true", "effect": "NO_SCHEDULE"}]
    assert group["node_repair_config"] == [{"enabled": True}]


@pytest.mark.parametrize(("pool", "reservations"), [("targeted", [RESERVATION]), ("market", [])])
def test_other_kinds_are_on_demand_and_have_their_size(
    pool: str, reservations: list[str], planned: dict[str, dict[str, Any]]
) -> None:
    found = template(planned, pool)
    targets = [t for s in found["capacity_reservation_specification"] for t in s["capacity_reservation_target"]]
    assert found["instance_market_options"] == []
    assert [t["capacity_reservation_id"] for t in targets] == reservations
    group = planned[f'module.pool["{pool}"].aws_eks_node_group.steady[0]']
    assert group["capacity_type"] == "ON_DEMAND"
    assert group["scaling_config"] == [{"min_size": 2, "max_size": 2, "desired_size": 2}]
    assert f'module.pool["{pool}"].aws_scheduler_schedule.this["start"]' not in planned


def test_every_template_is_closed(planned: dict[str, dict[str, Any]]) -> None:
    for pool in pools():
        found = template(planned, pool)
        (metadata,) = found["metadata_options"]
        assert (metadata["http_tokens"], metadata["http_put_response_hop_limit"]) == ("required", 1)
        (disk,) = (mapping["ebs"][0] for mapping in found["block_device_mappings"])
        assert (disk["encrypted"], disk["kms_key_id"]) == ("true", PLACEHOLDERS["data_kms_key_arn"])
        assert b"strategy: RAID0" in base64.b64decode(found["user_data"])
        assert found["placement"] == []


def test_the_cache_lies_beside_the_pools_and_holds_the_weights(planned: dict[str, dict[str, Any]]) -> None:
    (address,) = (a for a in planned if a.endswith("aws_fsx_lustre_file_system.this"))
    assert address == f'module.cache["{ZONE}"].aws_fsx_lustre_file_system.this'
    assert planned[address]["subnet_ids"] == ["subnet-0a"]
    assert planned[address]["storage_capacity"] == 2400
    assert planned[address]["kms_key_id"] == PLACEHOLDERS["data_kms_key_arn"]
    association = planned[f'module.cache["{ZONE}"].aws_fsx_data_repository_association.weights']
    assert association["data_repository_path"] == "s3://hawser-weights-111122223333-us-west-2/kimi-k3"
    assert [s["auto_export_policy"] for s in association["s3"] if "auto_export_policy" in s] == []
