"""Waivers: reviewed exceptions. A waiver covers one rule at one exact address until a day, and never a neighbour."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import date
from typing import Final

from hawser.contract.waivers import Waiver
from hawser.policy.findings import Finding, Verdict, WaiverUse
from hawser.policy.known import UNMATCHED_WAIVER, UNUSABLE_WAIVER
from hawser.policy.registry import RuleMeta

#: The longest span a waiver may have from today, in days: a quarter, so that each is looked at four times a year.
LONGEST_DAYS: Final = 90


def apply_waivers(
    findings: Iterable[Finding], waivers: Iterable[Waiver], known_rules: Collection[str], today: date, stack: str = ""
) -> tuple[Finding, ...]:
    """The findings with waivers applied, plus findings about waivers that cannot be used, or match nothing.

    ``stack`` is whose plan it is: waivers that name another one are none of its business. With ``""`` (a plan from
    anywhere) every waiver may match, and nobody can say which of those that name a stack should. An error is never
    waived.
    """
    found = list(findings)
    about: list[Finding] = []
    for waiver in waivers:
        if stack and waiver.stack and waiver.stack != stack:
            continue
        if wrong := fault(waiver, known_rules, today):
            about.append(_about(waiver, UNUSABLE_WAIVER, *wrong))
        elif not _use(found, waiver, (waiver.expires - today).days) and (stack or not waiver.stack):
            near = nearest(waiver.address, {f.waived_as for f in found if f.rule_id == waiver.rule})
            fix = "Remove it, or give the exact address" + ("." if waiver.stack else ", and the stack that it is in.")
            about.append(_about(waiver, UNMATCHED_WAIVER, f"matches no finding of {waiver.rule}{near}", fix))
    return tuple(sorted(found + about, key=Finding.sort_key))


def fault(waiver: Waiver, known_rules: Collection[str], today: date) -> tuple[str, str] | None:
    """What is wrong with a waiver whatever a plan says: the end of a sentence, and the fix."""
    days = (waiver.expires - today).days
    if days < 0:
        return f"expired on {waiver.expires.isoformat()}", "Mend the finding, or review the waiver anew."
    if days > LONGEST_DAYS:
        return f"runs for {days} days, longer than {LONGEST_DAYS}", "Give it a nearer day."
    if waiver.rule not in known_rules:
        what = f"names the rule {waiver.rule}, which does not exist{nearest(waiver.rule, known_rules)}"
        return what, "Name a rule of `hawser policy list`, or a check of checkov."
    return None


def _use(found: list[Finding], waiver: Waiver, days: int) -> bool:
    used = False
    for index, finding in enumerate(found):
        if (finding.rule_id, finding.waived_as) == (
            waiver.rule,
            waiver.address,
        ) and finding.verdict is not Verdict.ERROR:
            found[index] = replace(finding, waiver=WaiverUse(waiver.owner, waiver.reason, days))
            used = True
    return used


def _about(waiver: Waiver, meta: RuleMeta, what: str, fix: str) -> Finding:
    return Finding(
        rule_id=meta.id,
        verdict=Verdict.FAIL,
        level=meta.level,
        severity=meta.severity,
        address=waiver.address,
        path="",
        message=f"The waiver of {waiver.owner} for {waiver.rule} {what}.",
        fix=fix,
        title=meta.title,
        origin=str(waiver.place),
    )


def nearest(name: str, names: Iterable[str]) -> str:
    """`` (nearest: …)`` with the one of ``names`` that is most like ``name``; ``""`` when none is."""
    near = difflib.get_close_matches(name, sorted(names), n=1, cutoff=0.4)
    return f" (nearest: {near[0]})" if near else ""
