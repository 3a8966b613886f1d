"""Who refers to what a plan takes away."""

import json
from typing import Any

from hawser.policy.dependents import Dependents
from hawser.terraform.plan import Plan, read_plan


def entry(address: str, *actions: str, module: str = "", key: str = "") -> dict[str, Any]:
    """A change of the resource ``type.name`` in a module."""
    kind, name = address.removeprefix("data.").split(".")
    values: dict[str, Any] = {"id": "x"}
    gone, new = actions == ("delete",), actions == ("create",)
    return {
        "address": f"{module}.{address}{key}" if module else f"{address}{key}",
        "module_address": module,
        "mode": "data" if address.startswith("data.") else "managed",
        "type": kind,
        "name": name,
        "change": {
            "actions": list(actions),
            "before": None if new else values,
            "after": None if gone else values,
            "after_unknown": {},
        },
    }


def plan(root_module: dict[str, Any], *changes: dict[str, Any]) -> Plan:
    document = {
        "format_version": "1.2",
        "planned_values": {},
        "complete": True,
        "errored": False,
        "applyable": True,
        "resource_changes": list(changes),
        "configuration": {"root_module": root_module},
    }
    return read_plan(json.dumps(document).encode(), "test.json")


def resource(address: str, *references: str, **more: Any) -> dict[str, Any]:
    """A configured resource whose nested block refers to something."""
    return {"address": address, "expressions": {"block": [{"id": {"references": list(references)}}]}, **more}


def users(found: Plan, address: str) -> tuple[str, ...]:
    return Dependents(found).of(next(change for change in found.changes if change.address == address))


def test_only_what_exists_and_stays_is_told() -> None:
    root = {"resources": [resource("a.it")] + [resource(f"b.{n}", "a.it.id", "a.it") for n in "vwxyz"]}
    found = plan(
        root,
        entry("a.it", "delete", "create"),
        entry("b.v", "no-op"),
        entry("b.w", "update"),
        entry("b.x", "delete"),
        entry("b.y", "create"),
        entry("b.z", "delete", "create"),
    )
    assert users(found, "a.it") == ("b.v", "b.w")
    assert users(found, "b.v") == ()


def test_depends_on_count_and_for_each_are_references() -> None:
    root = {
        "resources": [
            resource("a.it"),
            resource("b.x", depends_on=["a.it"]),
            resource("b.y", count_expression={"references": ["a.it.id", "a.it"]}),
            resource("b.z", for_each_expression={"references": ["a.it"]}),
        ]
    }
    found = plan(root, entry("a.it", "delete"), *(entry(f"b.{n}", "no-op") for n in "xyz"))
    assert users(found, "a.it") == ("b.x", "b.y", "b.z")


def test_references_go_through_module_calls_outputs_and_data_sources() -> None:
    network = {
        "resources": [resource("a.it")],
        "outputs": {"id": {"expression": {"references": ["a.it.id", "a.it"]}}},
    }
    nodes = {"resources": [resource("b.x", "var.id")], "variables": {"id": {}}}
    root = {
        "resources": [resource("data.d.it", "module.network.id", "module.network"), resource("b.y", "data.d.it.id")],
        "module_calls": {
            "network": {"module": network},
            "nodes": {"module": nodes, "expressions": {"id": {"references": ["module.network.id", "module.network"]}}},
        },
    }
    found = plan(
        root,
        entry("a.it", "delete", module="module.network"),
        entry("b.x", "no-op", module="module.nodes"),
        entry("b.y", "no-op"),
    )
    assert users(found, "module.network.a.it") == ("b.y", "module.nodes.b.x")


def test_another_instance_of_the_module_does_not_use_it() -> None:
    pool = {"resources": [resource("a.it"), resource("b.x", "a.it.id", "a.it")]}
    root = {"module_calls": {"pool": {"module": pool}}}
    one, other = 'module.pool["a.b"]', 'module.pool["c"]'
    found = plan(
        root,
        entry("a.it", "delete", module=one),
        entry("b.x", "no-op", module=one, key="[0]"),
        entry("b.x", "no-op", module=one, key="[1]"),
        entry("b.x", "no-op", module=other),
    )
    assert users(found, f"{one}.a.it") == (f"{one}.b.x[0]", f"{one}.b.x[1]")


def test_a_plan_without_configuration_has_no_users() -> None:
    assert users(plan({}, entry("a.it", "delete")), "a.it") == ()
