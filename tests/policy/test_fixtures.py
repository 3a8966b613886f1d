"""Every rule has fixtures, and on each the engine finds exactly what it must find."""

from functools import cache
from pathlib import Path

import pytest

from hawser.contract import load_deployment
from hawser.contract.deployment import Deployment
from hawser.policy.fixtures import Fixture, fixtures, gaps
from hawser.policy.registry import all_rules

HERE = Path(__file__).parent
RULES = [rule.meta.id for rule in all_rules() if not rule.place]
FIXTURES = [fixture for rule_id in RULES for fixture in fixtures(HERE, rule_id)]


@cache
def ours() -> Deployment:
    return load_deployment(HERE, "prod")


@pytest.mark.parametrize("rule_id", RULES)
def test_rule_has_passing_and_failing_fixtures(rule_id: str) -> None:
    assert gaps(HERE, rule_id) == ()


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: f"{fixture.rule_id}/{fixture.file.stem}")
def test_fixture_gives_exactly_the_expected_findings(fixture: Fixture) -> None:
    assert fixture.differences(ours()) == ()


def test_every_folder_of_fixtures_belongs_to_a_rule() -> None:
    assert sorted(folder.name for folder in HERE.glob("HW-*")) == RULES


def test_fixtures_are_small_and_indented() -> None:
    for fixture in FIXTURES:
        text = fixture.file.read_text(encoding="utf-8")
        assert len(text) < 40_000, fixture.file
        assert text.count("\n") > 10, fixture.file
        assert '"timestamp"' not in text, fixture.file
