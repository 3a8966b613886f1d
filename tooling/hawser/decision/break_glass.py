"""Broken glass: for hours, what named rules forbid in one stack may be approved, by somebody else.

It is an entry of the reviewed ``waivers.yaml`` and no option of a command, so it leaves a trace in the repository, and
its bytes are part of the record like those of waivers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from hawser.contract.waivers import BreakGlass
from hawser.decision.waivers import nearest
from hawser.policy.findings import Finding, Level, Severity, Verdict
from hawser.policy.known import BROKEN_GLASS, UNUSABLE_GLASS

#: The longest time that may be left, in hours: one working day and its night shift; what takes longer is a waiver.
LONGEST_HOURS: Final = 12


def apply_break_glass(
    findings: Iterable[Finding], glass: BreakGlass | None, stack: str, known_rules: Collection[str], now: datetime
) -> tuple[Finding, ...]:
    """The findings of ``stack``, those that ``glass`` lets through lowered from block to approval, and one about it.

    Only failures are let through: what raised stays an error, and what the glass does not name stays as it is. A glass
    that is over, too long, names no rule that exists or lets nothing through is a finding of its own.
    """
    found = list(findings)
    if glass is None or glass.stack != stack:
        return tuple(found)
    if wrong := fault(glass, known_rules, now):
        return tuple(sorted([*found, _unusable(glass, wrong)], key=Finding.sort_key))
    let_through = [f for f in found if _lets_through(glass, f)]
    idle = sorted(set(glass.rules) - {f.rule_id for f in let_through})
    about = [_broken(glass, len(let_through))] if let_through else []
    if idle:
        about.append(_unusable(glass, f"names {', '.join(idle)}, which forbids nothing here", advisory=True))
    lowered = [replace(f, level=Level.APPROVAL) if _lets_through(glass, f) else f for f in found]
    return tuple(sorted([*lowered, *about], key=Finding.sort_key))


def fault(glass: BreakGlass, known_rules: Collection[str], now: datetime) -> str:
    """What is wrong with it whatever the plan says, as the end of a sentence; ``""`` for nothing."""
    if now >= glass.until:
        return f"was over at {_time(glass)}"
    if glass.until - now > timedelta(hours=LONGEST_HOURS):
        return f"runs until {_time(glass)}, longer than {LONGEST_HOURS} hours"
    for rule in glass.rules:
        if rule not in known_rules:
            return f"names the rule {rule}, which does not exist{nearest(rule, known_rules)}"
    return ""


def sentence(glass: BreakGlass) -> str:
    """Who broke it, for what, until when and why: for banner and record."""
    return f"{glass.by} for {', '.join(glass.rules)} in {glass.stack} until {_time(glass)}: {glass.reason}"


def broke_it(by: str, who: str) -> bool:
    """Whether ``who`` (an e-mail address, or an ARN of STS that ends in one) is the person who broke the glass.

    Users of IAM and sessions are often called by what stands before the ``@``: such a name counts as the same person.
    """
    name, broke = who.rsplit("/", 1)[-1].casefold(), by.casefold()
    return bool(by) and name in (broke, broke.partition("@")[0])


def in_force(findings: Iterable[Finding]) -> bool:
    """Whether broken glass lets anything through among these findings."""
    return any(f.rule_id == BROKEN_GLASS.id for f in findings)


def _lets_through(glass: BreakGlass, finding: Finding) -> bool:
    denies = finding.decides and finding.verdict is Verdict.FAIL and finding.level is Level.BLOCK
    return denies and finding.rule_id in glass.rules


def _time(glass: BreakGlass) -> str:
    return glass.until.strftime("%Y-%m-%dT%H:%MZ")


def _broken(glass: BreakGlass, number: int) -> Finding:
    findings = "1 finding" if number == 1 else f"{number} findings"
    return Finding(
        rule_id=BROKEN_GLASS.id,
        verdict=Verdict.FAIL,
        level=BROKEN_GLASS.level,
        severity=BROKEN_GLASS.severity,
        address="",
        path="break_glass",
        message=f"{findings} that would deny the plan may be approved. {sentence(glass)}",
        fix=f"Somebody other than {glass.by} reads and approves; then take the entry out again.",
        title=BROKEN_GLASS.title,
        origin=str(glass.place),
    )


def _unusable(glass: BreakGlass, what: str, *, advisory: bool = False) -> Finding:
    return Finding(
        rule_id=UNUSABLE_GLASS.id,
        verdict=Verdict.FAIL,
        level=Level.ADVISORY if advisory else UNUSABLE_GLASS.level,
        severity=Severity.LOW if advisory else UNUSABLE_GLASS.severity,
        address="",
        path="break_glass",
        message=f"The glass broken by {glass.by} for {glass.stack} {what}.",
        fix=UNUSABLE_GLASS.fix,
        title=UNUSABLE_GLASS.title,
        origin=str(glass.place),
    )
