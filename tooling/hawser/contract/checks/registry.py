"""All rules between fields, in the order in which they are told."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

from hawser.contract.checks import (
    access,
    capacity,
    cluster,
    engine,
    existing,
    guardrails,
    hyperpod,
    licence,
    memory,
    names,
    network,
    storage,
    topology,
    windows,
    zones,
)
from hawser.contract.checks.rule import CrossRule
from hawser.contract.draft import Draft
from hawser.contract.problems import Problem


def _rules(module: ModuleType) -> Iterator[CrossRule]:
    return (value for value in vars(module).values() if isinstance(value, CrossRule))


RULES: tuple[CrossRule, ...] = tuple(
    rule
    for module in (
        licence,
        engine,
        topology,
        memory,
        access,
        capacity,
        windows,
        names,
        zones,
        network,
        cluster,
        existing,
        hyperpod,
        storage,
        guardrails,
    )
    for rule in _rules(module)
)


def check(draft: Draft) -> Iterator[Problem]:
    """What every rule finds in ``draft``."""
    for rule in RULES:
        yield from rule.problems(draft)
