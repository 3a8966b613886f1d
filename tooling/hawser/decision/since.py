"""What a plan adds to, and takes from, the last one that somebody could review: changes and findings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

#: How the actions of a change are called; the first are the worst.
_VERBS: Final[Mapping[str, str]] = {
    "delete": "destroy",
    "delete+create": "replace",
    "create+delete": "replace",
    "forget": "forget",
    "update": "update",
    "create": "create",
    "read": "read",
    "no-op": "move or import",
}

#: One change as the fingerprint counts it: address, actions, and more texts that differ when anything in it does.
Line = Sequence[str]


@dataclass(frozen=True, slots=True)
class Seen:
    """A plan that was there to be reviewed: its bundle, when it was made, by whom it was approved, and what it held."""

    digest: str
    made: str
    approved_by: tuple[str, ...]
    lines: tuple[Line, ...]
    findings: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """A change that was added, taken away, or is there with other values: its verb and its address."""

    verb: str
    address: str


@dataclass(frozen=True, slots=True)
class Point:
    """A finding that was added or taken away. ``weight`` is its level, or ``does not decide``."""

    rule_id: str
    weight: str
    address: str
    path: str


@dataclass(frozen=True, slots=True)
class Since:
    """The difference to ``digest``. All lists empty: the same change set with the same findings."""

    digest: str
    made: str
    approved_by: tuple[str, ...]
    added: tuple[Moved, ...]
    removed: tuple[Moved, ...]
    altered: tuple[Moved, ...]
    findings_added: tuple[Point, ...]
    findings_removed: tuple[Point, ...]

    @property
    def same_changes(self) -> bool:
        """Whether both plans would do the same: their fingerprints are equal."""
        return not (self.added or self.removed or self.altered)

    @property
    def same_findings(self) -> bool:
        """Whether the gate says the same of both."""
        return not (self.findings_added or self.findings_removed)


def since(seen: Seen, lines: Iterable[Line], findings: Iterable[Mapping[str, Any]]) -> Since:
    """The difference between a plan with these lines and findings (as the JSON report has them) and the one seen."""
    then, now = _by_change(seen.lines), _by_change(lines)
    points_then, points_now = _points(seen.findings), _points(findings)
    return Since(
        digest=seen.digest,
        made=seen.made,
        approved_by=seen.approved_by,
        added=_moved(key for key in now if key not in then),
        removed=_moved(key for key in then if key not in now),
        altered=_moved(key for key in now if key in then and now[key] != then[key]),
        findings_added=tuple(sorted(points_now - points_then, key=_point_order)),
        findings_removed=tuple(sorted(points_then - points_now, key=_point_order)),
    )


def lines_bytes(lines: Iterable[Line]) -> bytes:
    """Lines as they are kept in a bundle."""
    return json.dumps([list(line) for line in lines]).encode()


def read_seen(digest: str, made: str, approved_by: Iterable[str], lines: bytes, findings: bytes) -> Seen | None:
    """The plan seen, of the files of its bundle; ``None`` when they are not what this version writes."""
    try:
        kept_lines, kept_findings = json.loads(lines), json.loads(findings)
        texts = tuple(tuple(str(part) for part in line) for line in kept_lines if len(line) > 1)
        _points(kept_findings)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return Seen(digest, made, tuple(approved_by), texts, tuple(kept_findings))


def _by_change(lines: Iterable[Line]) -> dict[tuple[str, str, int], list[Line]]:
    """Lines by address and verb; a deposed object has the address of another, so there may be several."""
    found: dict[tuple[str, str, int], list[Line]] = {}
    order = list(_VERBS.values())
    for line in sorted(tuple(line) for line in lines):
        verb = _VERBS.get(line[1], line[1])
        rank = order.index(verb) if verb in order else 0
        found.setdefault((line[0], verb, rank), []).append(line)
    return found


def _moved(keys: Iterable[tuple[str, str, int]]) -> tuple[Moved, ...]:
    return tuple(Moved(verb, address) for address, verb, _ in sorted(keys, key=lambda key: (key[2], key[0])))


def _points(findings: Iterable[Mapping[str, Any]]) -> set[Point]:
    return {
        Point(f["rule_id"], f["level"] if f["decides"] else "does not decide", f["address"], f["path"])
        for f in findings
    }


def _point_order(point: Point) -> tuple[int, str, str, str]:
    weights = ("block", "approval", "advisory", "does not decide")
    return (weights.index(point.weight), point.rule_id, point.address, point.path)
