"""Every object that a plan changes, with all that changes in it: for a report that can be searched and unfolded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hawser.report.change_reader import ChangeReader, Shift
from hawser.report.redact import Redactor
from hawser.report.review import Review
from hawser.terraform.plan import Action, Change
from hawser.terraform.values import UNKNOWN

#: Characters of a value; a page has more room than a line of a terminal.
_LONGEST: Final = 2_000
#: New objects whose attributes are listed; a plan that makes thousands of objects is read by their names.
_WHOLE: Final = 300

#: Actions in the order in which they are read, with the words for them.
ACTIONS: Final = ("destroy", "replace", "forget", "update", "create", "import", "move")
_WORDS: Final = {Action.DELETE: "destroy", Action.REPLACE: "replace", Action.FORGET: "forget"}


@dataclass(frozen=True, slots=True)
class Changed:
    """One object: ``action`` is one of ``ACTIONS``; ``why`` and ``shifts`` may have nothing to say."""

    action: str
    address: str
    type: str
    why: str
    shifts: tuple[Shift, ...]


def every_change(review: Review, redactor: Redactor) -> tuple[Changed, ...]:
    """Objects that change, are imported or moved: the worst action first, then by address."""
    reader = ChangeReader(review, redactor, _LONGEST)
    changes = [c for c in reader.managed if c.changes or c.importing or c.previous_address]
    made = sum(1 for change in changes if change.action is Action.CREATE)
    found = [_changed(reader, change, whole=made <= _WHOLE) for change in changes]
    return tuple(sorted(found, key=lambda c: (ACTIONS.index(c.action), c.address)))


def _changed(reader: ChangeReader, change: Change, *, whole: bool) -> Changed:
    action = _WORDS.get(change.action, change.action.value)
    if not change.changes:
        action = "move" if change.previous_address else "import"
    address = reader.text(change.address)
    if change.deposed is not None:
        address = f"{address} (deposed object)"
    if action == "create":
        shifts = tuple(_made(reader, change)) if whole else ()
    elif action in ("destroy", "forget"):
        shifts = ()
    else:
        # What gets a known value first: a replacement makes every computed attribute unknown.
        shifts = tuple(sorted(reader.shifts(change, change.changed_paths()), key=lambda s: s.after == repr(UNKNOWN)))
    return Changed(action, address, reader.text(change.type), "; ".join(_why(reader, change)), shifts)


def _why(reader: ChangeReader, change: Change) -> Iterator[str]:
    if change.goes_away and (why := reader.why(change)):
        yield why
    for path in change.replace_paths:
        yield f"forced by {reader.text(reader.redactor.path(path, change.before, change.after))}"
    if change.previous_address:
        yield f"was {reader.text(change.previous_address)}"
    if change.importing:
        yield "taken over from the account"


def _made(reader: ChangeReader, change: Change) -> Iterator[Shift]:
    """Attributes of a new object that say something: neither null nor empty."""
    if change.after.is_unknown:
        return
    for name, value in change.after.items():
        if value.is_unknown or not value.present or (not value.is_sensitive and value.raw() in ("", [], {})):
            continue
        shown = reader.redactor.path(name, change.before, change.after)
        yield Shift(reader.text(shown), "", reader.shown(name, value))
