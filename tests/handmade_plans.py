"""Plans made by hand, in the shape that terraform writes: for what no real plan can be made to hold."""

import json
from typing import Any

from hawser.terraform.plan import Plan, read_plan


def entry(
    address: str, actions: list[str], before: Any = None, after: Any = None, unknown: Any = None, **more: Any
) -> dict[str, Any]:
    """One entry of ``resource_changes``; ``more`` are further keys of it, or others for those that follow."""
    mode, type_, name = (
        ("data", *address.split(".")[1:3]) if address.startswith("data.") else ("managed", *address.split(".")[:2])
    )
    change = {"actions": actions, "before": before, "after": after, "after_unknown": unknown or {}}
    return {"address": address, "mode": mode, "type": type_, "name": name, "change": change, **more}


def document(*changes: dict[str, Any], planned: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    """A whole plan JSON with these entries, and the planned values that follow from them."""
    if planned is None:
        planned = [
            {"address": one["address"], "mode": "managed", "values": one["change"]["after"]}
            for one in changes
            if one["mode"] == "managed"
            and "deposed" not in one
            and one["change"]["actions"] not in (["delete"], ["forget"])
        ]
    return {
        "format_version": "1.2",
        "planned_values": {"root_module": {"resources": planned}},
        "complete": True,
        "errored": False,
        "applyable": True,
        "resource_changes": list(changes),
        **more,
    }


def plan(*changes: dict[str, Any], **more: Any) -> Plan:
    """The same, read."""
    return read_plan(json.dumps(document(*changes, **more)).encode(), "test.json")
