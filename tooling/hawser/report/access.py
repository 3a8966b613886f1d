"""Who can do more and what becomes reachable, in the lines of a report.

What a plan makes anew is told as a number unless it is dangerous: a first plan gives every role all that it has, and
the roles are listed elsewhere. What is taken away comes last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from hawser.policy.exposure import Exposure
from hawser.policy.privileges import Direction, Privilege, is_dangerous

#: Words for each direction, in both sections.
MORE: Final = {Direction.MORE: "more", Direction.UNKNOWN: "unknown", Direction.LESS: "less"}
OPENS: Final = {Direction.MORE: "opens", Direction.UNKNOWN: "unknown", Direction.LESS: "closes"}


@dataclass(frozen=True, slots=True)
class Line:
    """One difference in words. ``verb`` is more, less, opens, closes or unknown; ``alarms`` what makes it dangerous."""

    verb: str
    what: str
    where: str
    alarms: tuple[str, ...] = ()

    @property
    def loud(self) -> bool:
        """Whether it is to be seen at once: what grows or cannot be told."""
        return self.verb not in ("less", "closes")


@dataclass(frozen=True, slots=True)
class Access:
    """One section. ``folded`` are sentences about what is only counted."""

    lines: tuple[Line, ...]
    folded: tuple[str, ...]

    @property
    def title(self) -> str:
        """``2 more, 1 less``: the lines by their verbs."""
        verbs = dict.fromkeys(line.verb for line in self.lines)
        return ", ".join(f"{sum(line.verb == verb for line in self.lines)} {verb}" for verb in verbs)


def who_can_do_more(privileges: Iterable[Privilege], text: Callable[[str], str]) -> Access:
    """The privilege diff of a plan; ``text`` makes every text fit to be shown."""
    lines, new, gone = [], set(), set()
    for one in privileges:
        if one.new and one.direction is Direction.LESS:
            gone.add(one.holder)
        elif one.new and one.direction is Direction.MORE and not is_dangerous(one):
            new.add(one.holder)
        else:
            lines.append(_privilege(one, text))
    folded = [
        f"{_number(len(names), 'holder')} of rights {verb}: {_named(names, text)}"
        for names, verb in ((new, "new, without anything dangerous"), (gone, "gone"))
        if names
    ]
    return Access(tuple(lines), tuple(folded))


def what_is_reachable(exposure: Iterable[Exposure], text: Callable[[str], str]) -> Access:
    """The exposure diff of a plan; ``text`` makes every text fit to be shown."""
    lines, new, gone = [], [], []
    for one in exposure:
        if one.new and one.direction is Direction.MORE and not one.internet:
            new.append(one)
        elif one.new and one.direction is Direction.LESS:
            gone.append(one)
        else:
            lines.append(_exposure(one, text))
    folded = []
    if new:
        folded.append(f"not listed: {_number(len(new), 'opening')} of what is new, not to the internet")
    if gone:
        folded.append(f"{_number(len(gone), 'opening')} gone with what had it")
    return Access(tuple(lines), tuple(folded))


def _privilege(one: Privilege, text: Callable[[str], str]) -> Line:
    said = f"{_outside(one.drift)}{one.holder}: {one.what}" if one.holder else one.what
    return Line(MORE[one.direction], text(said), _where(one.address, one.path, text), one.alarms)


def _exposure(one: Exposure, text: Callable[[str], str]) -> Line:
    alarms = ("internet",) if one.internet and one.direction is not Direction.LESS else ()
    return Line(
        OPENS[one.direction], text(f"{_outside(one.drift)}{one.what}"), _where(one.address, one.path, text), alarms
    )


def _outside(drift: bool) -> str:
    return "outside of Terraform, already: " if drift else ""


def _where(address: str, path: str, text: Callable[[str], str]) -> str:
    return text(f"{address} {path}".strip())


def _number(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number > 1 else ''}"


def _named(names: Iterable[str], text: Callable[[str], str]) -> str:
    ordered = sorted(names)
    more = f" and {len(ordered) - 4} more" if len(ordered) > 4 else ""
    return ", ".join(text(name) for name in ordered[:4]) + more
