"""Fixtures of the rules: plan files with the exact findings that the engine must give on them.

A rule has a folder ``<RULE-ID>`` with files ``pass-*.json``, ``fail-*.json`` and, where unknown values matter,
``undecidable-*.json``, and one ``expected.yaml``: file name without ``.json`` -> [verdict, rule, address, path] rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

from hawser.contract.deployment import Deployment
from hawser.policy.engine import judge
from hawser.terraform.plan import read_plan

#: (verdict, rule, address, path)
Found = tuple[str, str, str, str]

#: The folder beside the rules' folders that holds an environment; fixtures named ``*-ours*.json`` are judged with it.
OURS: Final = "environments"


@dataclass(frozen=True, slots=True)
class Fixture:
    """One plan file of a rule and what must be found in it."""

    rule_id: str
    file: Path
    expected: frozenset[Found]

    @property
    def kind(self) -> str:
        """``pass``, ``fail`` or ``undecidable``."""
        return self.file.stem.split("-", 1)[0]

    @property
    def is_ours(self) -> bool:
        """Whether it is judged as a plan of the environment beside the fixtures."""
        return "-ours" in self.file.stem

    def differences(self, deployment: Deployment | None) -> tuple[str, ...]:
        """Sentences about findings that are missing or too many; none when the rules do as they must."""
        plan = read_plan(self.file.read_bytes(), self.file.name)
        judgement = judge(plan, deployment if self.is_ours else None, {})
        found = {(f.verdict.value, f.rule_id, f.address, f.path) for f in judgement.findings}
        return tuple(
            [f"missing: {' '.join(one)}" for one in sorted(self.expected - found)]
            + [f"too many: {' '.join(one)}" for one in sorted(found - self.expected)]
        )


def fixtures(folder: Path, rule_id: str) -> Iterator[Fixture]:
    """The fixtures of a rule under ``folder``; a file that ``expected.yaml`` does not name expects no finding."""
    listed = folder / rule_id / "expected.yaml"
    expected = yaml.safe_load(listed.read_text(encoding="utf-8")) if listed.is_file() else {}
    for file in sorted((folder / rule_id).glob("*.json")):
        rows = (expected or {}).get(file.stem, [])
        yield Fixture(rule_id, file, frozenset((row[0], row[1], row[2], row[3]) for row in rows))


def gaps(folder: Path, rule_id: str) -> tuple[str, ...]:
    """What a rule lacks: a passing or a failing fixture, or a file that ``expected.yaml`` names but is not there."""
    found = list(fixtures(folder, rule_id))
    lacking = [f"{rule_id} has no {kind} fixture" for kind in ("pass", "fail") if all(f.kind != kind for f in found)]
    listed = folder / rule_id / "expected.yaml"
    names = yaml.safe_load(listed.read_text(encoding="utf-8")) or {} if listed.is_file() else {}
    lacking += [
        f"{rule_id}/{name}.json is expected but not there" for name in sorted(set(names) - {f.file.stem for f in found})
    ]
    for fixture in found:
        own = {row[0] for row in fixture.expected if row[1] == rule_id}
        if own if fixture.kind == "pass" else fixture.kind not in own:
            lacking.append(
                f"{rule_id}/{fixture.file.name} is named {fixture.kind} but expects {sorted(own) or 'nothing'}"
            )
    return tuple(lacking)
