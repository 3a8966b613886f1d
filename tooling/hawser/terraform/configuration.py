"""What a plan says about its configuration: which expression of which resource refers to what.

Unknown values carry no reference, so a launch template that is made in the same plan can only be found this way.
The configuration is never judged by itself: blocks written as attributes are missing in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final

from hawser.terraform.plan import Change

_INDEX: Final = re.compile(r'\[(?:"(?:[^"\\]|\\.)*"|\d+)\]')

#: How many module borders a reference is followed across; real code passes a value through two or three.
_DEPTH: Final = 8


class Configuration:
    """Index of ``configuration`` in plan JSON. Anything missing or odd in it reads as empty."""

    def __init__(self, configuration: Any) -> None:
        """``configuration`` is that part of the document, or nothing."""
        self._root = _mapping(_mapping(configuration).get("root_module"))

    @cached_property
    def resources(self) -> Mapping[tuple[str, str], Mapping[str, Any]]:
        """Configuration entries by (module path without indexes, address inside the module)."""
        found: dict[tuple[str, str], Mapping[str, Any]] = {}
        for path, module in self.modules.items():
            for resource in _list(module.get("resources")):
                entry = _mapping(resource)
                address = entry.get("address")
                if isinstance(address, str):
                    found[path, address] = entry
        return found

    @cached_property
    def modules(self) -> Mapping[str, Mapping[str, Any]]:
        """Modules as they are configured, by path without indexes; the root is ``""``."""
        return dict(_walk("", self._root))

    def of(self, change: Change) -> Mapping[str, Any]:
        """The configuration entry of a change, empty when there is none (a deleted resource has none)."""
        prefix = "data." if change.mode == "data" else ""
        return self.resources.get((module_path(change.module_address), f"{prefix}{change.type}.{change.name}"), {})

    def expression(self, change: Change, *keys: str | int) -> Mapping[str, Any]:
        """The expression of one argument: ``("launch_template", 0, "id")``; empty when it is not written."""
        node: Any = _mapping(self.of(change)).get("expressions")
        for key in keys:
            if isinstance(key, int):
                node = node[key] if isinstance(node, list) and key < len(node) else None
            else:
                node = _mapping(node).get(key)
        return _mapping(node)

    def writes(self, change: Change, argument: str) -> bool:
        """Whether the configuration gives an argument or block; true also when there is no entry to look into.

        What is not written and yet unknown is computed by the provider: nobody chose it.
        """
        entry = self.of(change)
        return not entry or argument in _mapping(entry.get("expressions"))

    def written(self, change: Change) -> frozenset[str]:
        """Names of the arguments and blocks that the configuration gives; empty when there is no entry."""
        return frozenset(_mapping(self.of(change).get("expressions")))

    @property
    def outputs(self) -> Mapping[str, Mapping[str, Any]]:
        """Outputs of the root module, as they are configured."""
        return {name: _mapping(about) for name, about in _mapping(self._root.get("outputs")).items()}

    def targets(self, change: Change, *keys: str | int) -> frozenset[tuple[str, str]]:
        """What an argument refers to: (module path, ``type.name`` or ``data.type.name``); variables are followed."""
        expression = self.expression(change, *keys)
        return frozenset(self._targets(module_path(change.module_address), expression, _DEPTH))

    def for_each_targets(self, change: Change) -> frozenset[tuple[str, str]]:
        """What the ``for_each`` of a resource refers to: where ``each.value`` comes from."""
        expression = _mapping(self.of(change).get("for_each_expression"))
        return frozenset(self._targets(module_path(change.module_address), expression, _DEPTH))

    @cached_property
    def dependents(self) -> Mapping[tuple[str, str], frozenset[tuple[str, str]]]:
        """What refers to each entry of ``resources``, anywhere in its arguments, ``count`` and ``for_each``.

        Variables, outputs and calls of modules are followed; what is only named in ``depends_on`` of a resource counts.
        """
        found: dict[tuple[str, str], set[tuple[str, str]]] = {}
        for (path, address), entry in self.resources.items():
            names = [str(name) for name in _list(entry.get("depends_on"))]
            parts = [entry.get("expressions"), entry.get("count_expression"), entry.get("for_each_expression")]
            for expression in (*_expressions(parts), {"references": names}):
                for target in self._targets(path, expression, _DEPTH):
                    if target != (path, address):
                        found.setdefault(target, set()).add((path, address))
        return {target: frozenset(users) for target, users in found.items()}

    def _targets(self, path: str, expression: Mapping[str, Any], depth: int) -> Iterator[tuple[str, str]]:
        if depth == 0:
            return
        for reference in _list(expression.get("references")):
            if not isinstance(reference, str):
                continue
            parts = _INDEX.sub("", reference).split(".")
            if parts[0] == "var" and len(parts) > 1:
                yield from self._through_variable(path, parts[1], depth)
            elif parts[0] == "module" and len(parts) > 2:
                yield from self._through_output(_join(path, parts[1]), parts[2], depth)
            elif parts[0] == "data" and len(parts) > 2:
                yield path, ".".join(parts[:3])
            elif (
                parts[0] not in ("local", "each", "count", "path", "terraform", "self", "module", "var")
                and len(parts) > 1
            ):
                yield path, ".".join(parts[:2])

    def _through_variable(self, path: str, variable: str, depth: int) -> Iterator[tuple[str, str]]:
        parent, _, name = path.rpartition("module.")
        parent = parent.removesuffix(".")
        if not name:
            return
        call = _mapping(_mapping(_mapping(self.modules.get(parent)).get("module_calls")).get(name))
        expressions = _mapping(call.get("expressions"))
        yield from self._targets(parent, _mapping(expressions.get(variable)), depth - 1)

    def _through_output(self, path: str, output: str, depth: int) -> Iterator[tuple[str, str]]:
        outputs = _mapping(_mapping(self.modules.get(path)).get("outputs"))
        yield from self._targets(path, _mapping(_mapping(outputs.get(output)).get("expression")), depth - 1)


def _expressions(node: Any) -> Iterator[Mapping[str, Any]]:
    """Everything inside arguments and blocks that refers to something."""
    nodes = [node]
    while nodes:
        node = nodes.pop()
        if isinstance(node, dict):
            if isinstance(node.get("references"), list):
                yield node
            nodes.extend(node.values())
        elif isinstance(node, list):
            nodes.extend(node)


def module_path(module_address: str) -> str:
    """``module.pool["a.b"].module.x[0]`` without the indexes: ``module.pool.module.x``."""
    return _INDEX.sub("", module_address) if "[" in module_address else module_address


def _walk(path: str, module: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    stack = [(path, module)]
    while stack:
        path, module = stack.pop()
        yield path, module
        for name, call in _mapping(module.get("module_calls")).items():
            stack.append((_join(path, name), _mapping(_mapping(call).get("module"))))


def _join(path: str, name: str) -> str:
    return f"{path}.module.{name}" if path else f"module.{name}"


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
