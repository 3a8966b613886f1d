"""The labelled plans, and what the whole gate (our rules and one checkov worker) says of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import yaml

from hawser.cli.judging import Gate, Verdict
from hawser.cli.talk import Talk
from hawser.contract import load_deployment
from hawser.decision.decide import Decision
from hawser.terraform.plan import read_plan

ROOT: Final = Path(__file__).parents[3]
HERE: Final = Path(__file__).parent
PLANS: Final = HERE / "plans"


@dataclass(frozen=True, slots=True)
class LabelledPlan:
    """One plan and what must come of it; ``rule`` is empty for a safe one."""

    name: str
    does: str
    rule: str
    decision: Decision

    @property
    def dangerous(self) -> bool:
        """Whether it must be stopped."""
        return bool(self.rule)

    @property
    def file(self) -> Path:
        """Its plan JSON."""
        return PLANS / f"{self.name}.json"


@cache
def labelled() -> tuple[LabelledPlan, ...]:
    """Every plan that has a label, in the order of ``labels.yaml``."""
    labels = yaml.safe_load((HERE / "labels.yaml").read_text(encoding="utf-8"))
    dangerous = [
        LabelledPlan(name, one["does"], one["rule"], Decision(one["decision"]))
        for name, one in labels["dangerous"].items()
    ]
    safe = [LabelledPlan(name, one["does"], "", Decision.ALLOW) for name, one in labels["safe"].items()]
    return (*dangerous, *safe)


def verdicts() -> Mapping[str, Verdict]:
    """The gate's verdict on each plan by name; ``*-ours-*`` are judged as plans of the environment of the fixtures."""
    ours = load_deployment(ROOT / "tests" / "policy", "prod")
    with Gate(ROOT, Talk()) as gate:
        return {
            plan.name: gate.judge(read_plan(plan.file.read_bytes(), plan.name), ours if "-ours-" in plan.name else None)
            for plan in labelled()
        }


def figures(stopped: Iterable[str]) -> tuple[str, str]:
    """(recall, false alarms) as ``48 of 48``, when the plans of these names are stopped."""
    names = set(stopped)

    def of(some: list[str]) -> str:
        return f"{len(names.intersection(some))} of {len(some)}"

    dangerous, safe = ([plan.name for plan in labelled() if plan.dangerous is kind] for kind in (True, False))
    return of(dangerous), of(safe)
