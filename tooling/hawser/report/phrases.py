"""Numbers, owners and users in words, said in the same way by every layout."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hawser.policy.findings import Finding
from hawser.policy.iam import is_administrator
from hawser.policy.roles import Role
from hawser.report.change_reader import LONGEST_VALUE, Gone
from hawser.report.visible import shortened

#: Users of an object that are named in the reports for people; JSON names all.
_FEW: Final = 5


def used_by(one: Gone) -> str:
    """Who refers to an object that ends, in one line: the first few by address, the others as a number."""
    more = len(one.used_by) - _FEW
    return f"used by: {', '.join(one.used_by[:_FEW])}{f' and {more} more' if more > 0 else ''}" if one.used_by else ""


def gpus(number: int | None) -> str:
    """A number of accelerators, ``?`` when it cannot be known."""
    return "?" if number is None else str(number)


def total(numbers: Iterable[int | None]) -> str:
    """The sum; with an unknown among them what it is at least."""
    counted = list(numbers)
    known = sum(number for number in counted if number is not None)
    return f"{known} + ?" if None in counted else str(known)


def widest(role: Role) -> str:
    """The widest of what a role may do, in short: an administrator policy, its first statement, or what is attached."""
    admin = next((name for name in role.managed if is_administrator(name)), "")
    if admin or not role.allowed:
        return admin or (", ".join(role.managed) if role.managed else "nothing that this plan gives")
    return shortened(role.allowed[0], LONGEST_VALUE * 2)


def code_spans(text: str) -> tuple[str, ...]:
    """Prose and what stands between backticks in turn, prose first; the whole text where a pair is broken or empty."""
    parts = text.split("`")
    return (text,) if len(parts) % 2 == 0 or "" in parts[1::2] else tuple(parts)


def waiver_line(finding: Finding) -> str:
    """Days that the waiver of a finding still has, and its owner."""
    if finding.waiver is None:
        return ""
    days = finding.waiver.days_left
    left = "last day" if days == 0 else f"{days} day{'s' if days != 1 else ''} left"
    return f"{left}, {finding.waiver.owner}"
