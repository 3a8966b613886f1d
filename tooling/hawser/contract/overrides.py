"""Overrides: fields of the contract that an environment sets otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from hawser.contract.deployment import Place
from hawser.contract.load import Broken, Node, Table
from hawser.contract.problems import Problem, nearest, shown

_WHY: Final = "An override that changes nothing, or a field that nothing reads, makes a reader believe in a difference."


@dataclass(frozen=True, slots=True)
class Merged:
    """The contract with overrides applied, what is wrong with them, and each one as (contract's value, value here)."""

    root: Table
    problems: tuple[Problem, ...]
    values: Mapping[str, tuple[object, object]]


def apply_overrides(contract: Table, overrides: Table) -> Merged:
    """``contract`` with the leaves of ``overrides`` put in place. Their types are left to the schema."""
    values: dict[str, tuple[object, object]] = {}
    problems: list[Problem] = []
    root = _merge(contract, overrides, (), problems, values)
    return Merged(root, tuple(problems), values)


def _merge(
    base: Table, over: Table, path: tuple[str, ...], problems: list[Problem], values: dict[str, tuple[object, object]]
) -> Table:
    merged = Table(base.place, dict(base.entries))
    for name, (place, node) in over.entries.items():
        here = (*path, name)
        if name not in base.entries:
            problems.append(_unknown(place, here, base))
            continue
        old = base.entries[name][1]
        if isinstance(old, Table) and isinstance(node, Table):
            child = _merge(old, node, here, problems, values)
            merged.entries[name] = (base.entries[name][0], child)
            continue
        faults = list(_faults(place, here, old, node))
        problems += faults
        if not faults and not isinstance(node, Broken):
            merged.entries[name] = (place, node)
            values[".".join(here)] = (old.plain(), node.plain())
    return merged


def _unknown(place: Place, path: tuple[str, ...], base: Table) -> Problem:
    outer, *inner = path[-1].split(".")
    if inner and outer in base.entries:  # as reports write it
        fix = f"nest it: the line `{outer}:`, and below it `{shown('.'.join(inner))}: …`"
    elif near := nearest(path[-1], base.entries):
        fix = f"rename it to {near}"
    else:
        fix = f"remove it; known here: {', '.join(map(shown, base.entries))}"
    return Problem(
        place, _dotted(path), "a field that the contract does not have", "a field of the contract", fix, _WHY
    )


def _faults(place: Place, path: tuple[str, ...], old: Node, new: Node) -> Iterator[Problem]:
    if isinstance(new, Table):
        yield Problem(place, _dotted(path), "a mapping", "one value", "write the value itself")
    elif isinstance(old, Table):
        names = ", ".join(map(shown, old.entries))
        yield Problem(place, _dotted(path), "one value", "a mapping", f"name the field below it: {names}")
    elif not isinstance(new, Broken) and type(old.plain()) is type(new.plain()) and old.plain() == new.plain():
        found = "the same value as in the contract"
        yield Problem(place, _dotted(path), found, "a value that differs", "remove the override", _WHY)


def _dotted(path: tuple[str, ...]) -> str:
    return ".".join(("overrides", *map(shown, path)))
