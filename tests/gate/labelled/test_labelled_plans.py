"""The gate on plans whose danger is known: every dangerous one is stopped by the right rule, no safe one is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from hawser.cli.judging import Verdict
from hawser.decision.decide import Decision
from hawser.policy.findings import Level
from tests.gate.labelled.labels import PLANS, ROOT, LabelledPlan, figures, labelled, verdicts

pytestmark = pytest.mark.checkov


@pytest.fixture(scope="module")
def judged(venvs: Path) -> Mapping[str, Verdict]:
    assert (venvs / "checkov").is_dir()
    return verdicts()


def test_every_plan_has_its_source_and_one_label() -> None:
    names = sorted(plan.name for plan in labelled())
    assert names == sorted(file.stem for file in PLANS.glob("*.json"))
    assert names == sorted(file.stem for file in PLANS.glob("*.tf"))
    assert {name for name in names if name.startswith("dangerous-")} == {p.name for p in labelled() if p.dangerous}
    assert sum(plan.dangerous for plan in labelled()) >= 24
    assert sum(not plan.dangerous for plan in labelled()) >= 16
    assert max(file.stat().st_size for file in PLANS.glob("*.json")) < 40_000


def test_every_plan_is_judged_as_its_label_says(judged: Mapping[str, Verdict]) -> None:
    """All in one test: the worker of checkov is started once."""
    wrong = {plan.name: what for plan in labelled() if (what := _wrong(plan, judged[plan.name]))}
    assert wrong == {}


def _wrong(plan: LabelledPlan, verdict: Verdict) -> str:
    serious = [f for f in verdict.judgement.findings if f.decides and f.level is not Level.ADVISORY]
    rules = sorted({finding.rule_id for finding in serious})
    if verdict.decision is not plan.decision:
        return f"is {verdict.decision} by {rules}, not {plan.decision}"
    if plan.dangerous and plan.rule not in rules:
        return f"is stopped by {rules}, not by {plan.rule}"
    return f"is safe, but {rules} ask for more" if not plan.dangerous and rules else ""


def test_the_figures_in_the_readme_are_those_of_the_set(judged: Mapping[str, Verdict]) -> None:
    stopped = [name for name, verdict in judged.items() if verdict.decision is not Decision.ALLOW]
    row = re.search(r"^\| hawser \|(.+)\|(.+)\|$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert row is not None
    assert tuple(cell.strip() for cell in row.groups()) == figures(stopped)
