"""Broken glass lets named failures of one stack be approved for hours, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from hawser.contract.deployment import Place
from hawser.contract.waivers import BreakGlass
from hawser.decision.break_glass import apply_break_glass, broke_it
from hawser.decision.decide import Decision, decide
from hawser.policy.findings import Finding, Level, Severity, Verdict
from hawser.policy.known import BROKEN_GLASS, UNUSABLE_GLASS

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
KNOWN = {"HW-DEL-001", "HW-IAM-001"}


def finding(rule: str = "HW-DEL-001", verdict: Verdict = Verdict.FAIL, level: Level = Level.BLOCK) -> Finding:
    return Finding(rule, verdict, level, Severity.HIGH, "aws_s3_bucket.a", "", "m", "f")


def glass(*rules: str, hours: float = 4, stack: str = "platform") -> BreakGlass:
    until = NOW + timedelta(hours=hours)
    return BreakGlass("carol@example.com", "INC-7", stack, rules or ("HW-DEL-001",), until, Place("waivers.yaml", 3))


def applied(findings: list[Finding], broken: BreakGlass | None) -> tuple[Finding, ...]:
    return apply_break_glass(findings, broken, "platform", KNOWN, NOW)


def test_what_it_names_needs_approval_and_the_report_is_loud() -> None:
    found = applied([finding()], glass())
    assert decide(found) is Decision.NEEDS_APPROVAL
    about = next(f for f in found if f.rule_id == BROKEN_GLASS.id)
    assert about.origin == "waivers.yaml:3"
    for word in ("carol@example.com", "HW-DEL-001", "platform", "2026-12-01T16:00Z", "INC-7"):
        assert word in about.message


@pytest.mark.parametrize(
    ("findings", "broken", "decision"),
    [
        ([finding("HW-IAM-001"), finding()], glass(), Decision.DENY),
        ([finding()], glass(stack="eks"), Decision.DENY),
        ([finding(verdict=Verdict.ERROR)], glass(), Decision.CANNOT_JUDGE),
        ([finding()], None, Decision.DENY),
        ([finding()], glass(hours=0), Decision.DENY),
        ([finding()], glass(hours=12.1), Decision.DENY),
        ([finding()], glass("HW-DEL-001", "HW-DEL-009"), Decision.DENY),
    ],
    ids=["another rule", "another stack", "an error", "none", "over", "too long", "a rule that does not exist"],
)
def test_nothing_else_passes(findings: list[Finding], broken: BreakGlass | None, decision: Decision) -> None:
    assert decide(applied(findings, broken)) is decision


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (glass(hours=0), "was over at 2026-12-01T12:00Z"),
        (glass(hours=13), "longer than 12 hours"),
        (glass("HW-DEL-01"), "does not exist (nearest: HW-DEL-001)"),
    ],
)
def test_what_cannot_be_used_needs_approval_even_when_nothing_fails(broken: BreakGlass, says: str) -> None:
    found = applied([], broken)
    assert [f.rule_id for f in found] == [UNUSABLE_GLASS.id]
    assert says in found[0].message
    assert decide(found) is Decision.NEEDS_APPROVAL


def test_a_rule_that_forbids_nothing_is_told() -> None:
    found = applied([finding()], glass("HW-DEL-001", "HW-IAM-001"))
    assert "HW-IAM-001, which forbids nothing here" in next(f.message for f in found if f.rule_id == UNUSABLE_GLASS.id)
    assert decide(found) is Decision.NEEDS_APPROVAL
    assert decide(applied([], glass())) is Decision.ALLOW


def test_who_broke_it_is_one_person_under_both_kinds_of_names() -> None:
    assert broke_it("Carol@example.com", "carol@example.com")
    assert broke_it("carol@example.com", "arn:aws:sts::111122223333:assumed-role/admin/carol@example.com")
    assert broke_it("carol@example.com", "arn:aws:iam::111122223333:user/carol")
    assert broke_it("carol@example.com", "arn:aws:sts::111122223333:assumed-role/admin/Carol")
    assert not broke_it("carol@example.com", "dave@example.com")
    assert not broke_it("carol@example.com", "arn:aws:iam::111122223333:user/carolyn")
    assert not broke_it("", "")
