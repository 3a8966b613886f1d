"""Who refers to what a plan takes away: objects that stay and whose arguments name one that ends."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Final

from hawser.terraform.configuration import Configuration, module_path
from hawser.terraform.plan import Action, Change, Plan

_STEP: Final = re.compile(r'module\.[^.\[]+(?:\["(?:[^"\\]|\\.)*"\]|\[\d+\])?')


class Dependents:
    """The users of each object of one plan, by the references in its configuration."""

    def __init__(self, plan: Plan) -> None:
        """``plan`` as it was read; without a configuration nobody refers to anything."""
        self._configuration = Configuration(plan.document.get("configuration"))
        self._plan = plan

    def of(self, change: Change) -> tuple[str, ...]:
        """Addresses of managed objects that exist, stay, and refer to this one; sorted.

        Through data sources too: what reads a data source that reads the object depends on it. The configuration does
        not say which key of a resource is meant, so all of them count that stand in the same instance of a module.
        """
        wanted, seen = [_entry(change)], {_entry(change)}
        found: set[str] = set()
        while wanted:
            for user in self._configuration.dependents.get(wanted.pop(), frozenset()) - seen:
                seen.add(user)
                if user[1].startswith("data."):
                    wanted.append(user)
                found.update(
                    other.address
                    for other in self._staying.get(user, ())
                    if _can_meet(other.module_address, change.module_address)
                )
        return tuple(sorted(found))

    @cached_property
    def _staying(self) -> Mapping[tuple[str, str], list[Change]]:
        found: dict[tuple[str, str], list[Change]] = {}
        for change in self._plan.changes:
            if change.mode == "managed" and change.action in (Action.NO_OP, Action.UPDATE):
                found.setdefault(_entry(change), []).append(change)
        return found


def _entry(change: Change) -> tuple[str, str]:
    prefix = "data." if change.mode == "data" else ""
    return module_path(change.module_address), f"{prefix}{change.type}.{change.name}"


def _can_meet(left: str, right: str) -> bool:
    """Whether two module addresses agree in the keys of the modules that hold both."""
    for one, other in zip(_STEP.findall(left), _STEP.findall(right), strict=False):
        if one != other:
            return module_path(one) != module_path(other)
    return True
