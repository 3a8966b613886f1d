"""Waivers: reviewed exceptions. A waiver covers one rule at one exact address until a day, and never a neighbour."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import date
from typing import Final

from hawser.contract.waivers import Waiver
from hawser.policy.findings import Finding, Level, Severity, Verdict, WaiverUse

#: The longest span a waiver may have from today, in days: a quarter, so that each is looked at four times a year.
LONGEST_DAYS: Final = 90

UNUSABLE: Final = "HW-WVR-001"
UNMATCHED: Final = "HW-WVR-002"


def apply_waivers(
    findings: Iterable[Finding], waivers: Iterable[Waiver], known_rules: Collection[str], today: date
) -> tuple[Finding, ...]:
    """The findings with waivers applied, plus findings about waivers that are expired, too long, or match nothing.

    An error is never waived. checkov's ids (``CKV…``) are taken as known: which of them exist is checkov's to say.
    """
    found = list(findings)
    about: list[Finding] = []
    for waiver in waivers:
        days = (waiver.expires - today).days
        if days < 0:
            about.append(
                _about(
                    waiver,
                    UNUSABLE,
                    f"expired on {waiver.expires.isoformat()}",
                    "Mend the finding, or review the waiver anew.",
                )
            )
        elif days > LONGEST_DAYS:
            about.append(
                _about(waiver, UNUSABLE, f"runs for {days} days, longer than {LONGEST_DAYS}", "Give it a nearer day.")
            )
        elif waiver.rule not in known_rules and not waiver.rule.startswith("CKV"):
            about.append(
                _about(
                    waiver,
                    UNUSABLE,
                    f"names the rule {waiver.rule}, which does not exist{_nearest(waiver.rule, known_rules)}",
                    "Name a rule of `hawser policy list`.",
                )
            )
        elif not _use(found, waiver, days):
            near = _nearest(waiver.address, {f.address for f in found if f.rule_id == waiver.rule})
            about.append(
                _about(
                    waiver,
                    UNMATCHED,
                    f"matches no finding of {waiver.rule}{near}",
                    "Remove it, or give the exact address.",
                )
            )
    return tuple(sorted(found + about, key=Finding.sort_key))


def _use(found: list[Finding], waiver: Waiver, days: int) -> bool:
    used = False
    for index, finding in enumerate(found):
        if (finding.rule_id, finding.address) == (waiver.rule, waiver.address) and finding.verdict is not Verdict.ERROR:
            found[index] = replace(finding, waiver=WaiverUse(waiver.owner, waiver.reason, days))
            used = True
    return used


def _about(waiver: Waiver, rule_id: str, what: str, fix: str) -> Finding:
    unusable = rule_id == UNUSABLE
    return Finding(
        rule_id=rule_id,
        verdict=Verdict.FAIL,
        level=Level.APPROVAL if unusable else Level.ADVISORY,
        severity=Severity.MEDIUM if unusable else Severity.LOW,
        address=waiver.address,
        path="",
        message=f"The waiver of {waiver.owner} for {waiver.rule} {what}.",
        fix=fix,
        title="Every waiver is in force and covers a finding.",
        origin=str(waiver.place),
    )


def _nearest(name: str, names: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, sorted(names), n=1, cutoff=0.4)
    return f" (nearest: {near[0]})" if near else ""
