"""From findings to a decision: one pure function."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from hawser.errors import Exit
from hawser.policy.findings import Finding, Level, Verdict


class Decision(StrEnum):
    """What may be done with a plan."""

    ALLOW = "allow"
    NEEDS_APPROVAL = "needs-approval"
    DENY = "deny"
    CANNOT_JUDGE = "cannot-judge"

    @property
    def exit_code(self) -> Exit:
        """The exit code of a run that ends in this decision."""
        return {Decision.DENY: Exit.DENIED, Decision.CANNOT_JUDGE: Exit.CANNOT_JUDGE}.get(self, Exit.OK)


def decide(findings: Iterable[Finding]) -> Decision:
    """The decision that these findings ask for.

    A rule that raised makes the plan unjudgeable. A failing block-level rule denies. A failing approval-level rule, or
    a block- or approval-level rule that cannot be judged before apply, needs a person. Waived findings, emulator noise
    and findings on unchanged resources have no say.
    """
    decision = Decision.ALLOW
    for finding in findings:
        if finding.verdict is Verdict.ERROR:
            return Decision.CANNOT_JUDGE
        if not finding.decides or finding.level is Level.ADVISORY:
            continue
        if finding.verdict is Verdict.FAIL and finding.level is Level.BLOCK:
            decision = Decision.DENY
        elif decision is Decision.ALLOW:
            decision = Decision.NEEDS_APPROVAL
    return decision
