"""A waiver covers one rule at one exact address until a day, and says so when it does not."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from hawser.contract.deployment import Place
from hawser.contract.waivers import Waiver
from hawser.decision.decide import Decision, decide
from hawser.decision.waivers import apply_waivers
from hawser.policy.findings import Finding, Level, Severity, Verdict
from hawser.policy.known import UNMATCHED_WAIVER, UNUSABLE_WAIVER

TODAY = date(2026, 11, 30)


def finding(address: str = "aws_s3_bucket.a", verdict: Verdict = Verdict.FAIL, level: Level = Level.BLOCK) -> Finding:
    return Finding("HW-IAM-001", verdict, level, Severity.HIGH, address, "p", "m", "f")


def waiver(
    rule: str = "HW-IAM-001", address: str = "aws_s3_bucket.a", expires: date = date(2026, 12, 10), stack: str = ""
) -> Waiver:
    return Waiver(rule, address, "team@example.com", "reason", expires, Place("waivers.yaml", 3), stack)


def applied(findings: list[Finding], *waivers: Waiver, stack: str = "platform") -> tuple[Finding, ...]:
    return apply_waivers(findings, waivers, {"HW-IAM-001", "CKV_AWS_58"}, TODAY, stack)


def test_it_covers_its_finding_and_counts_days() -> None:
    (found,) = applied([finding()], waiver())
    assert found.waiver is not None
    assert found.waiver.days_left == 10
    assert decide([found]) is Decision.ALLOW


def test_the_last_day_still_counts() -> None:
    (found,) = applied([finding()], waiver(expires=TODAY))
    assert found.waiver is not None


def test_a_deposed_object_is_waived_by_its_key() -> None:
    both = [finding(), replace(finding(), deposed="1a2b3c4d")]
    current, deposed = sorted(applied(both, waiver()), key=lambda f: f.deposed or "")
    assert (current.waiver is not None, deposed.waiver) == (True, None)
    assert decide([current, deposed]) is Decision.DENY
    found = applied(both, waiver(), waiver(address="aws_s3_bucket.a (deposed 1a2b3c4d)"))
    assert decide(found) is Decision.ALLOW


def test_never_a_neighbour() -> None:
    found = applied([finding("aws_s3_bucket.ab")], waiver())
    assert {f.rule_id for f in found} == {"HW-IAM-001", UNMATCHED_WAIVER.id}
    assert decide(found) is Decision.DENY
    assert "aws_s3_bucket.ab" in next(f for f in found if f.rule_id == UNMATCHED_WAIVER.id).message


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (waiver(expires=date(2026, 11, 29)), "expired on 2026-11-29"),
        (waiver(expires=date(2027, 3, 1)), "longer than 90"),
        (waiver(rule="HW-IAM-009"), "does not exist (nearest: HW-IAM-001)"),
        (waiver(rule="CKV_AWS_5800"), "does not exist (nearest: CKV_AWS_58)"),
    ],
)
def test_an_unusable_waiver_covers_nothing_and_is_a_finding(bad: Waiver, says: str) -> None:
    found = applied([finding()], bad)
    assert decide(found) is Decision.DENY
    about = next(f for f in found if f.rule_id == UNUSABLE_WAIVER.id)
    assert says in about.message
    assert about.origin == "waivers.yaml:3"
    assert decide([about]) is Decision.NEEDS_APPROVAL


def test_an_error_is_never_waived() -> None:
    found = applied([finding(verdict=Verdict.ERROR)], waiver())
    assert decide(found) is Decision.CANNOT_JUDGE


def test_of_a_stack_it_covers_and_is_told_there_only() -> None:
    bootstraps = waiver(stack="bootstrap")
    assert applied([], bootstraps) == ()
    (same_address,) = applied([finding()], bootstraps)
    assert same_address.waiver is None
    assert [f.rule_id for f in applied([], bootstraps, stack="bootstrap")] == [UNMATCHED_WAIVER.id]
    assert applied([], waiver(expires=date(2026, 1, 1), stack="bootstrap")) == ()
    assert [f.rule_id for f in applied([], waiver())] == [UNMATCHED_WAIVER.id]


def test_on_a_plan_from_anywhere_it_may_match_and_is_not_missed() -> None:
    (covered,) = applied([finding()], waiver(stack="eks"), stack="")
    assert covered.waiver is not None
    assert applied([], waiver(stack="eks"), stack="") == ()
