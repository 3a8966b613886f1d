"""Plans in the shapes that people try first: old formats, other versions of terraform, public test data of parsers.

Each is written here after the shape, none is a copy. What is accepted has the counts that terraform prints; what is
not is one sentence that says which terraform is needed.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from hawser.errors import CannotJudgeError
from hawser.policy.engine import judge
from hawser.terraform.plan import Plan, read_plan
from tests.handmade_plans import entry

PROVIDER = "registry.terraform.io/hashicorp/null"


def shape(version: str, terraform: str, *changes: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A plan as that terraform writes it: without the keys that came later."""
    planned = [
        {key: one[key] for key in ("address", "mode", "type", "name") if key in one}
        | {"provider_name": PROVIDER, "schema_version": 0, "values": one["change"]["after"]}
        for one in changes
        if one["mode"] == "managed" and one["change"]["actions"] not in (["delete"], ["forget"])
    ]
    found = {
        "format_version": version,
        "terraform_version": terraform,
        "variables": {"foo": {"value": "bar"}},
        "planned_values": {"root_module": {"resources": planned}} if planned else {"root_module": {}},
        "resource_changes": list(changes),
        "prior_state": {"format_version": "1.0", "terraform_version": terraform, "values": {"root_module": {}}},
        "configuration": {"root_module": {"variables": {"foo": {"default": "bar"}}}},
    }
    return {**found, **more}


def topic(name: str, actions: list[str], **more: Any) -> dict[str, Any]:
    """A change of something that no rule knows."""
    before = None if actions == ["create"] else {"id": "1", "triggers": None}
    after = None if actions in (["delete"], ["forget"]) else {"id": "1", "triggers": None}
    return entry(f"null_resource.{name}", actions, before, after, {}, provider_name=PROVIDER, **more)


OLD = {
    "0.12": (shape("0.1", "0.12.18", topic("foo", ["create"])), "plan format 0.1"),
    "0.13 with depends_on of modules": (shape("0.1", "0.13.3", topic("foo", ["create"])), "plan format 0.1"),
    "0.14": (shape("0.1", "0.14.11", topic("foo", ["create"])), "plan format 0.1"),
    "0.15": (shape("0.2", "0.15.0", topic("foo", ["delete"])), "plan format 0.2"),
    "1.0 with drift": (shape("0.2", "1.0.0", resource_drift=[topic("foo", ["update"])]), "plan format 0.2"),
    "1.1 with moves": (
        shape("1.0", "1.1.0", topic("new", ["no-op"], previous_address="null_resource.old")),
        "does not say whether",
    ),
    "1.3 with checks": (shape("1.1", "1.3.6", topic("foo", ["create"]), checks=[]), "does not say whether"),
    "1.5 says errored": (shape("1.2", "1.5.7", topic("foo", ["create"]), errored=False), "does not say whether"),
}


@pytest.mark.parametrize("name", OLD)
def test_a_plan_of_an_older_terraform_is_refused_with_the_version_that_is_needed(name: str) -> None:
    document, says = OLD[name]
    with pytest.raises(CannotJudgeError, match=says) as raised:
        read_plan(json.dumps(document).encode(), "plan.json")
    assert raised.value.fix == "Make the plan with Terraform 1.8 or newer."
    assert "\n" not in raised.value.message


FIT: dict[str, Any] = {"complete": True, "errored": False, "applyable": True, "timestamp": "2026-11-30T00:00:00Z"}


def identified() -> dict[str, Any]:
    """An update of what is imported by its identity (1.12)."""
    found = topic("user", ["update"])
    identity = {"email": "a@example.com"}
    found["change"] |= {"importing": {"identity": identity}, "before_identity": identity, "after_identity": identity}
    return found


def generated() -> dict[str, Any]:
    """An import whose configuration terraform wrote itself."""
    found = topic("made", ["no-op"])
    found["change"] |= {"importing": {"id": "1"}, "generated_config": 'resource "null_resource" "made" {}'}
    return found


READ: dict[str, tuple[dict[str, Any], dict[str, int]]] = {
    "basic": (
        shape(
            "1.2",
            "1.8.0",
            topic("foo", ["create"]),
            entry("data.null_data_source.baz", ["read"], None, {"inputs": {}}, {"id": True, "outputs": True}),
            **FIT,
        ),
        {"create": 1},
    ),
    "no changes": (
        shape("1.2", "1.11.4", topic("foo", ["no-op"]), **{**FIT, "applyable": False}),
        {"no-op": 1},
    ),
    "nothing at all": (
        {"format_version": "1.2", "terraform_version": "1.11.4", "planned_values": {}, **FIT, "applyable": False},
        {},
    ),
    "nulls for lists": (
        shape("1.2", "1.11.4", **FIT) | {"resource_changes": None, "output_changes": None, "applyable": False},
        {},
    ),
    "destroy": (shape("1.2", "1.11.4", topic("a", ["delete"]), topic("b", ["delete"]), **FIT), {"delete": 2}),
    "replace in both orders": (
        shape("1.2", "1.11.4", topic("a", ["delete", "create"]), topic("b", ["create", "delete"]), **FIT),
        {"replace": 2},
    ),
    "move": (
        shape("1.2", "1.11.4", topic("new", ["no-op"], previous_address="null_resource.old"), **FIT),
        {"no-op": 1, "move": 1},
    ),
    "import by identity": (shape("1.2", "1.13.0-dev", identified(), **FIT), {"update": 1, "import": 1}),
    "import with generated configuration": (shape("1.2", "1.11.4", generated(), **FIT), {"no-op": 1, "import": 1}),
    "nested modules": (
        shape(
            "1.2",
            "1.11.4",
            topic("a", ["create"]),
            **FIT,
            configuration={
                "root_module": {
                    "module_calls": {
                        "foo": {
                            "source": "./foo",
                            "module": {"module_calls": {"bar": {"source": "./bar", "module": {}}}},
                            "depends_on": ["null_resource.a"],
                        }
                    }
                }
            },
        ),
        {"create": 1},
    ),
    "configuration with odd keys": (
        shape(
            "1.2",
            "1.11.4",
            topic("a", ["create"]),
            **FIT,
            configuration={
                "provider_config": {"module.foo:null": {"name": "null", "module_address": "module.foo"}},
                "root_module": {
                    "resources": [
                        {"address": "null_resource.a", "mode": "managed", "expressions": {"blocks": [{"x": [{}]}, {}]}}
                    ],
                    "actions": [{"address": "action.x.y", "type": "x", "name": "y"}],
                },
            },
        ),
        {"create": 1},
    ),
    "large and exact numbers": (
        shape(
            "1.2", "1.11.4", topic("a", ["create"]), **FIT, variables={"n": {"value": 10**40}, "f": {"value": 1e308}}
        ),
        {"create": 1},
    ),
    "a newer minor": (shape("1.9", "1.99.0", topic("a", ["create"]), **FIT, provider_meta=[1]), {"create": 1}),
    "opentofu": (shape("1.2", "1.8.2", topic("a", ["create"]), **FIT, provider_schemas={}), {"create": 1}),
}


def read(name: str) -> Plan:
    return read_plan(json.dumps(READ[name][0]).encode(), "plan.json")


@pytest.mark.parametrize("name", READ)
def test_what_is_read_has_the_counts_of_terraform(name: str) -> None:
    plan = read(name)
    assert plan.counts() == READ[name][1]
    assert judge(plan, None, {}).capacity == ()


@pytest.mark.parametrize("name", READ)
def test_what_no_rule_knows_asks_for_nothing(name: str) -> None:
    findings = judge(read(name), None, {}).findings
    assert [one.rule_id for one in findings] == (["HW-DEL-001"] if name == "destroy" else [])


def test_a_newer_minor_is_noted() -> None:
    assert "plan format 1.9" in read("a newer minor").notes[0]


def test_a_deferred_change_is_no_complete_plan_even_when_its_index_is_unknown() -> None:
    deferred = topic("a", ["create"], index=None, index_unknown=True)
    found = shape(
        "1.2",
        "1.11.4",
        **{**FIT, "complete": False},
        deferred_changes=[{"reason": "instance_count_unknown", "resource_change": deferred}],
    )
    with pytest.raises(CannotJudgeError, match="deferred"):
        read_plan(json.dumps(found).encode(), "plan.json")
