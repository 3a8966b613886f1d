"""What decides, as a table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hawser.decision.decide import Decision, decide
from hawser.errors import Exit, worst
from hawser.policy.findings import Finding, Level, Severity, Verdict, WaiverUse

BASE = Finding("HW-IAM-001", Verdict.FAIL, Level.BLOCK, Severity.HIGH, "a", "p", "m", "f")

TABLE = [
    ([], Decision.ALLOW),
    ([BASE], Decision.DENY),
    ([replace(BASE, level=Level.APPROVAL)], Decision.NEEDS_APPROVAL),
    ([replace(BASE, level=Level.ADVISORY)], Decision.ALLOW),
    ([replace(BASE, verdict=Verdict.UNDECIDABLE)], Decision.NEEDS_APPROVAL),
    ([replace(BASE, verdict=Verdict.UNDECIDABLE, level=Level.APPROVAL)], Decision.NEEDS_APPROVAL),
    ([replace(BASE, verdict=Verdict.UNDECIDABLE, level=Level.ADVISORY)], Decision.ALLOW),
    ([replace(BASE, verdict=Verdict.ERROR, level=Level.ADVISORY)], Decision.CANNOT_JUDGE),
    ([BASE, replace(BASE, verdict=Verdict.ERROR)], Decision.CANNOT_JUDGE),
    ([replace(BASE, changed=False)], Decision.ALLOW),
    ([replace(BASE, noise="emulator")], Decision.ALLOW),
    ([replace(BASE, waiver=WaiverUse("o", "r", 1))], Decision.ALLOW),
    ([replace(BASE, level=Level.APPROVAL), BASE], Decision.DENY),
]


@pytest.mark.parametrize(("findings", "decision"), TABLE)
def test_decision(findings: list[Finding], decision: Decision) -> None:
    assert decide(findings) is decision
    assert decide(reversed(findings)) is decision


def test_exit_codes_of_decisions() -> None:
    assert {d: int(d.exit_code) for d in Decision} == {
        Decision.ALLOW: 0, Decision.NEEDS_APPROVAL: 0, Decision.DENY: 4, Decision.CANNOT_JUDGE: 5,
    }  # fmt: skip


def test_the_worst_of_several_stacks_wins() -> None:
    order = [130, 1, 7, 3, 5, 4, 6, 8, 0]
    for index, code in enumerate(order):
        assert worst([Exit(c) for c in order[index:]][::-1]) == code
    assert worst([]) is Exit.OK
