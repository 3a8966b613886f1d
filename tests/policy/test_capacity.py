"""Accelerators of pools that no offline plan can hold: awscc, odd units, templates elsewhere, several types."""

from __future__ import annotations

import json
from typing import Any

from tests.handmade_plans import entry, plan

from hawser.policy.engine import judge

Pools = dict[str, tuple[int | None, int | None, int | None]]


def pools(*changes: dict[str, Any], **more: Any) -> Pools:
    """Before, during and after by pool."""
    return {one.pool: (one.before, one.during, one.after) for one in judge(plan(*changes, **more), None, {}).capacity}


def cluster(*groups: tuple[str, str, int]) -> dict[str, Any]:
    """An ``awscc_sagemaker_cluster`` with these groups."""
    listed = [
        {"instance_group_name": name, "instance_type": type_, "instance_count": count} for name, type_, count in groups
    ]
    return {"cluster_name": "hawser", "instance_groups": listed}


A, B = ("a", "ml.p5en.48xlarge", 2), ("b", "ml.p5en.48xlarge", 1)
SYSTEM = ("system", "ml.m5.xlarge", 3)


def test_groups_of_an_awscc_cluster_are_paired_by_name() -> None:
    change = entry("awscc_sagemaker_cluster.x", ["update"], cluster(SYSTEM, A, B), cluster(B, ("a", A[1], 3), SYSTEM))
    assert pools(change) == {"a": (16, 16, 24), "b": (8, 8, 8)}


def test_a_group_that_leaves_an_awscc_cluster_needs_approval() -> None:
    change = entry("awscc_sagemaker_cluster.x", ["update"], cluster(A, B), cluster(B))
    found = judge(plan(change), None, {}).findings
    assert pools(change) == {"a": (16, 0, 0), "b": (8, 8, 8)}
    assert [(f.address, f.path) for f in found if f.rule_id == "HW-CAP-001"] == [
        ("awscc_sagemaker_cluster.x", "instance_groups")
    ]


def test_a_replaced_awscc_cluster_has_none_meanwhile() -> None:
    change = entry("awscc_sagemaker_cluster.x", ["delete", "create"], cluster(A), cluster(A))
    assert pools(change) == {"a": (16, 0, 16)}


def test_groups_that_are_not_known_leave_the_number_open() -> None:
    after = {"cluster_name": "hawser"}
    change = entry("awscc_sagemaker_cluster.x", ["update"], cluster(A), after, {"instance_groups": True})
    assert pools(change) == {"a": (16, None, None)}


def test_the_text_of_cloud_control_is_read_and_a_broken_one_is_said() -> None:
    def state(text: str) -> dict[str, Any]:
        return {"type_name": "AWS::SageMaker::Cluster", "desired_state": text}

    group = {"InstanceGroupName": "a", "InstanceType": "ml.p5.48xlarge", "InstanceCount": 2}
    good = state(json.dumps({"InstanceGroups": [group]}))
    address = "aws_cloudcontrolapi_resource.x"
    assert pools(entry(address, ["create"], None, good)) == {"a": (0, 0, 16)}
    assert pools(entry(address, ["update"], good, state("[1]"))) == {"a": (16, None, None)}
    assert pools(entry(address, ["update"], state("x"), good)) == {address: (None, None, None)}
    other = {"type_name": "AWS::IAM::Role", "desired_state": "{}"}
    assert pools(entry(address, ["create"], None, other)) == {}


def test_an_instance_takes_its_type_from_its_launch_template() -> None:
    template = {"id": "lt-1", "name": "gpu", "instance_type": "p5.48xlarge"}
    instance = {"instance_type": None, "launch_template": [{"id": "lt-1", "version": "1"}]}
    assert pools(
        entry("aws_launch_template.x", ["no-op"], template, template),
        entry("aws_instance.x", ["create"], None, instance),
        entry("aws_instance.cpu", ["create"], None, {"instance_type": "m7i.large"}),
        entry("aws_spot_instance_request.x", ["delete"], {"instance_type": "p5.48xlarge"}),
    ) == {"aws_instance.x": (0, 0, 8), "aws_spot_instance_request.x": (8, 0, 0)}


def fleet(size: int, unit: str, *types: str) -> dict[str, Any]:
    """An ``aws_ec2_fleet`` of these types."""
    return {
        "launch_template_config": [{"override": [{"instance_type": one} for one in types]}],
        "target_capacity_specification": [{"total_target_capacity": size, "target_capacity_unit_type": unit}],
    }


def test_a_fleet_of_several_types_or_in_other_units_is_not_guessed() -> None:
    address = "aws_ec2_fleet.x"
    one = fleet(2, "units", "p5.48xlarge")
    assert pools(entry(address, ["no-op"], one, one)) == {address: (16, 16, 16)}
    assert pools(entry(address, ["update"], one, fleet(2, "units", "p5.48xlarge", "p5en.48xlarge"))) == {
        address: (16, None, None)
    }
    assert pools(entry(address, ["update"], one, fleet(384, "vcpu", "p5.48xlarge"))) == {address: (16, None, None)}


def variant(name: str, count: int, type_: str = "ml.p5.48xlarge", **more: Any) -> dict[str, Any]:
    """One variant of an endpoint configuration."""
    return {"variant_name": name, "instance_type": type_, "initial_instance_count": count, **more}


def configuration(name: str, *variants: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "production_variants": list(variants)}


def test_an_endpoint_has_what_its_configuration_says() -> None:
    serverless = {"variant_name": "s", "serverless_config": [{"max_concurrency": 1}]}
    old, new = configuration("old", variant("k3", 2), serverless), configuration("new", variant("k4", 1))
    changes = (
        entry("aws_sagemaker_endpoint_configuration.old", ["no-op"], old, old),
        entry("aws_sagemaker_endpoint_configuration.new", ["create"], None, new),
    )
    endpoint = "aws_sagemaker_endpoint.x"
    before, after = ({"name": "k3", "endpoint_config_name": name} for name in ("old", "new"))
    assert pools(*changes, entry(endpoint, ["update"], before, after)) == {"k3/k3": (16, 0, 0), "k3/k4": (0, 0, 8)}
    assert pools(*changes, entry(endpoint, ["delete"], before)) == {"k3/k3": (16, 0, 0)}
    assert pools(*changes, entry(endpoint, ["forget"], before)) == {"k3/k3": (16, 16, 16)}
    assert pools(*changes) == {}


def test_an_endpoint_whose_configuration_is_elsewhere_is_open_when_it_changes() -> None:
    old = configuration("old", variant("k3", 2))
    known = entry("aws_sagemaker_endpoint_configuration.old", ["no-op"], old, old)
    before, after = ({"name": "k3", "endpoint_config_name": name} for name in ("old", "elsewhere"))
    endpoint = "aws_sagemaker_endpoint.x"
    assert pools(known, entry(endpoint, ["update"], before, after)) == {"k3/k3": (16, None, None)}
    assert pools(entry(endpoint, ["update"], before, after)) == {"k3": (None, None, None)}
    assert pools(entry(endpoint, ["no-op"], after, after)) == {}
