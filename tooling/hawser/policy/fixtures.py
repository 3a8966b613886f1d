"""Fixtures of the rules: plan files with the exact findings that the engine must give on them.

A rule has a folder ``<RULE-ID>`` with files ``pass-*.json``, ``fail-*.json`` and, where unknown values matter,
``undecidable-*.json``, and one ``expected.yaml``: file name without ``.json`` -> [verdict, rule, address, path] rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

from hawser.contract import load_deployment
from hawser.contract.deployment import Deployment
from hawser.errors import CannotJudgeError, HawserError
from hawser.policy.custom import FOLDER
from hawser.policy.engine import judge
from hawser.policy.findings import Verdict
from hawser.policy.registry import OWN, Rule
from hawser.terraform.plan import read_plan

#: (verdict, rule, address, path)
Found = tuple[str, str, str, str]

#: A plan that opens port 22 to everybody, and the rule that must say so before any is believed.
CANARY: Final = Path(__file__).with_name("canary.json")
CANARY_RULE: Final = "HW-NET-002"

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
        """Sentences about findings that are missing or too many; none when the rules do as they must.

        hawser's own fixtures are judged by hawser's rules, those of a team's rule by that rule alone: neither may break
        when the other side gets a rule.
        """
        plan = read_plan(self.file.read_bytes(), self.file.name)
        judgement = judge(plan, deployment if self.is_ours else None, {})
        found = {
            (f.verdict.value, f.rule_id, f.address, f.path) for f in judgement.findings if self._is_about(f.rule_id)
        }
        return tuple(
            [f"missing: {' '.join(one)}" for one in sorted(self.expected - found)]
            + [f"too many: {' '.join(one)}" for one in sorted(found - self.expected)]
        )

    def _is_about(self, rule_id: str) -> bool:
        return rule_id.startswith(OWN) if self.rule_id.startswith(OWN) else rule_id == self.rule_id


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


def differences(folder: Path, rule_id: str) -> tuple[str, ...]:
    """All that is wrong with the fixtures of a rule under ``folder``, or with how the rule judges them."""
    try:
        found = list(gaps(folder, rule_id))
        for fixture in fixtures(folder, rule_id):
            ours = load_deployment(folder, "prod") if fixture.is_ours else None
            found += [f"{fixture.file.name}: {one}" for one in fixture.differences(ours)]
    except HawserError as error:
        return (error.message,)
    except (AttributeError, ValueError, TypeError, LookupError, OSError, yaml.YAMLError) as error:
        return (
            f"{rule_id}/expected.yaml is not rows of [verdict, rule, address, path] by file ({type(error).__name__})",
        )
    return tuple(found)


def prove(rules: Iterable[Rule], folder: Path = FOLDER) -> None:
    """Have hawser's rules judge a bad plan, and the team's among ``rules`` their fixtures.

    A rule that fails nothing would pass everything. Raises ``CannotJudgeError`` when the bad plan passes, and for the
    first rule that does not do what its fixtures say.
    """
    canary = judge(read_plan(CANARY.read_bytes(), CANARY.name), None, {})
    if not any(f.rule_id == CANARY_RULE and f.verdict is Verdict.FAIL for f in canary.findings):
        raise CannotJudgeError(
            f"{CANARY_RULE} finds nothing wrong with a plan that is known to be bad, so nothing here can be believed",
            fix="Run `hawser policy test`, and restore tooling/hawser from git.",
        )
    for rule in rules:
        if rule.place and (wrong := differences(folder, rule.meta.id)):
            raise CannotJudgeError(
                f"{rule.place}: {rule.meta.id} does not judge its fixtures as they say: {'; '.join(wrong[:3])}",
                fix=f"Run `hawser policy test {rule.meta.id}`, and correct the rule or its fixtures.",
            )
