"""The section on what changed since the last reviewed plan, for every format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

from hawser.decision.since import Moved, Point, Since


def told(since: Since | None, text: Callable[[str], str]) -> Since | None:
    """The same with every text fit to be shown."""
    if since is None:
        return None

    def moved(these: tuple[Moved, ...]) -> tuple[Moved, ...]:
        return tuple(Moved(one.verb, text(one.address)) for one in these)

    def points(these: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple(replace(one, address=text(one.address), path=text(one.path)) for one in these)

    return replace(
        since,
        approved_by=tuple(text(who) for who in since.approved_by),
        added=moved(since.added),
        removed=moved(since.removed),
        altered=moved(since.altered),
        findings_added=points(since.findings_added),
        findings_removed=points(since.findings_removed),
    )


def title(since: Since) -> str:
    """What the section is called: an approved plan was reviewed, another one was only made."""
    return "Since the last reviewed plan" if since.approved_by else "Since the last plan"


def whose(since: Since) -> str:
    """Which plan it is compared with, and the sum of it."""
    approved = f", approved by {', '.join(since.approved_by)}" if since.approved_by else ""
    changes = _counted(("+", since.added), ("-", since.removed), ("~", since.altered)) or "the same"
    findings = _counted(("+", since.findings_added), ("-", since.findings_removed)) or "the same"
    return f"{since.digest[:12]}, made {since.made}{approved}: {changes} changes, {findings} findings"


def differences(since: Since) -> list[str]:
    """A line for each difference: findings first, then changes, the worst first."""
    return [
        *(f"+ {_point(point)}" for point in since.findings_added),
        *(f"- {_point(point)}" for point in since.findings_removed),
        *(f"+ {one.verb} {one.address}" for one in since.added),
        *(f"~ {one.verb} {one.address}, with other values" for one in since.altered),
        *(f"- {one.verb} {one.address}" for one in since.removed),
    ]


def since_document(since: Since | None) -> dict[str, Any] | None:
    """For machines."""
    if since is None:
        return None
    return {**asdict(since), "same_changes": since.same_changes, "same_findings": since.same_findings}


def _counted(*parts: tuple[str, tuple[object, ...]]) -> str:
    return " ".join(f"{sign}{len(these)}" for sign, these in parts if these)


def _point(point: Point) -> str:
    place = " ".join(part for part in (point.address, point.path) if part) or "the plan as a whole"
    return f"{point.rule_id} ({point.weight}) {place}"
