"""Modules in which something takes a value that no expression of the plan shows.

Plan JSON leaves ``dynamic`` blocks and locals out of its configuration. When the list of a ``dynamic`` block is not
known and the provider may also compute the block, the planned resource looks as if nobody had written the block. What
is left are traces: ``relevant_attributes`` names every value that the plan depends on, and a module lists the variables
that it is given. A value that is not known, and that nothing visible in the module takes, is taken by something out of
sight. A value that is also taken in the open leaves no such trace.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from hawser.terraform.configuration import Configuration, module_path
from hawser.terraform.plan import Change, Plan

_WHERE: Final = re.compile(r"((?:module\.[^.]+\.?)*)(.*)")


def modules_with_unseen_blocks(plan: Plan, configuration: Configuration) -> frozenset[str]:
    """Paths, without indexes, of modules where an unknown value goes somewhere that the plan does not show."""
    changes: dict[str, list[Change]] = {}
    for change in plan.changes:
        changes.setdefault(module_path(change.address), []).append(change)
    seen = {path: _with_parents(_references(module)) for path, module in configuration.modules.items()}
    found = set()
    for entry in _entries(plan.document.get("relevant_attributes")):
        address = module_path(str(entry.get("resource")))
        attribute = entry.get("attribute")
        steps = [step for step in attribute if isinstance(step, (str, int))] if isinstance(attribute, list) else []
        match = _WHERE.fullmatch(address)
        path, resource = (match[1].rstrip("."), match[2]) if match else ("", address)
        unknown = any(change.after.at(*steps).has_unknown for change in changes.get(address, ()))
        if unknown and not _is_seen(resource, steps, seen.get(path, {})):
            found.add(path)
    found.update(_with_unused_variables(configuration, seen, changes))
    return frozenset(found)


def _with_parents(references: Iterable[str]) -> Mapping[str, bool]:
    """References, and what they go through: true for the references themselves."""
    found: dict[str, bool] = {}
    for reference in references:
        parts = reference.split(".")
        for length in range(1, len(parts)):
            found.setdefault(".".join(parts[:length]), False)
        found[reference] = True
    return found


def _is_seen(resource: str, steps: list[str | int], references: Mapping[str, bool]) -> bool:
    names = [step for step in steps if isinstance(step, str)]
    wanted = [".".join((resource, *names[:depth])) for depth in range(1, len(names) + 1)] or [resource]
    return wanted[-1] in references or any(references.get(one, False) for one in wanted)


def _with_unused_variables(
    configuration: Configuration, seen: Mapping[str, Mapping[str, bool]], changes: Mapping[str, list[Change]]
) -> Iterator[str]:
    """Modules that are given a reference to something unknown by a variable that nothing visible in them takes."""
    for parent, module in configuration.modules.items():
        for name, call in _mapping(module.get("module_calls")).items():
            path = f"{parent}.module.{name}" if parent else f"module.{name}"
            taken = seen.get(path, {})
            for variable, expression in _mapping(_mapping(call).get("expressions")).items():
                if f"var.{variable}" not in taken and any(
                    _is_unknown(parent, one, changes) for one in _references(expression)
                ):
                    yield path


def _is_unknown(path: str, reference: str, changes: Mapping[str, list[Change]]) -> bool:
    parts = reference.split(".")
    length = 3 if parts[0] == "data" else 2
    address = ".".join(([path] if path else []) + parts[:length])
    return len(parts) > length and any(
        change.after.at(*parts[length:]).has_unknown for change in changes.get(address, ())
    )


def _references(node: Any) -> Iterator[str]:
    """Every reference in a part of the configuration, without indexes; not those inside modules that it calls."""
    if isinstance(node, dict):
        for key, child in node.items():
            if key == "references" and isinstance(child, list):
                yield from (module_path(one) for one in child if isinstance(one, str))
            elif key != "module":
                yield from _references(child)
    elif isinstance(node, list):
        for child in node:
            yield from _references(child)


def _entries(value: Any) -> list[Mapping[str, Any]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
