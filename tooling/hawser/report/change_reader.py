"""What changes in the objects and outputs of a plan, in words, with nothing in it that must not be shown."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from hawser.policy.dependents import Dependents
from hawser.report.redact import Redactor
from hawser.report.review import Review
from hawser.report.structures import ABSENT, Difference, Opaque, Same, compared
from hawser.report.visible import LONGEST_TEXT, shortened, visible
from hawser.terraform.plan import REASONS, Action, Change
from hawser.terraform.secrets import MASK
from hawser.terraform.values import UNKNOWN, Unknown, Value, steps

#: Characters of a value that are shown; the rest is told as a number.
LONGEST_VALUE: Final = 72
_VERBS: Final = {Action.DELETE: "destroy", Action.REPLACE: "replace", Action.FORGET: "forget"}
_NAMED: Final = re.compile(r"\[([A-Za-z_][A-Za-z0-9_-]*)\]\.(?:value|Value|ParameterValue)$")


@dataclass(frozen=True, slots=True)
class Shift:
    """An attribute that gets another value; ``cause`` is the contract line that gives it, where that is sure."""

    path: str
    before: str
    after: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Gone:
    """An object that ends: ``verb`` is destroy, replace or forget; ``why`` is in Terraform's words.

    ``used_by`` are objects that stay and refer to it.
    """

    verb: str
    address: str
    why: str
    because_of: tuple[Shift, ...] = ()
    used_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Created:
    """New objects of one module: resource types with their numbers."""

    module: str
    types: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Updated:
    """Objects that are changed in place in the same way."""

    addresses: tuple[str, ...]
    shifts: tuple[Shift, ...]


class ChangeReader:
    """Reads the changes of a review; values are shown up to ``longest`` characters."""

    def __init__(self, review: Review, redactor: Redactor, longest: int = LONGEST_VALUE) -> None:
        self.review = review
        self.redactor = redactor
        self.longest = longest
        self.managed = [c for c in review.plan.changes if c.mode == "managed"]

    def text(self, text: object, longest: int = LONGEST_TEXT) -> str:
        """A text fit to be shown: redacted, on one line, shortened."""
        return shortened(visible(self.redactor.text(str(text))), longest)

    @cached_property
    def gone(self) -> tuple[Gone, ...]:
        """Objects that end, the worst first."""
        order = list(_VERBS)
        going = sorted((c for c in self.managed if c.goes_away), key=lambda c: (order.index(c.action), c.address))
        return tuple(self.one_gone(change) for change in going)

    @cached_property
    def dependents(self) -> Dependents:
        """Who refers to what."""
        return Dependents(self.review.plan)

    def one_gone(self, change: Change) -> Gone:
        """One object that ends."""
        address = self.text(change.address)
        if change.deposed is not None:
            address = f"{address} (deposed object)"
        users = tuple(self.text(user) for user in self.dependents.of(change)) if change.deposed is None else ()
        shifts = self.shifts(change, change.replace_paths)
        return Gone(_VERBS[change.action], address, self.why(change), shifts, users)

    def why(self, change: Change) -> str:
        """Why an object ends, in Terraform's words, and in which order."""
        why = []
        if change.reason and not (change.replace_paths and change.reason == "replace_because_cannot_update"):
            why.append(REASONS.get(change.reason, visible(change.reason)))
        if change.action is Action.REPLACE:
            why.append("new one first" if change.actions[0] == "create" else "old one first")
        if change.action is Action.FORGET:
            why.append("stays in the account, no longer managed")
        return "; ".join(why)

    def created(self) -> tuple[Created, ...]:
        """New objects by module."""
        types: dict[str, Counter[str]] = {}
        for change in self.managed:
            if change.action is Action.CREATE:
                types.setdefault(self.text(change.module_address), Counter())[self.text(change.type)] += 1
        return tuple(Created(module, tuple(sorted(types[module].items()))) for module in sorted(types))

    def updated(self) -> tuple[Updated, ...]:
        """Objects changed in place; those that change in the same way together."""
        same: dict[tuple[str, str, tuple[Shift, ...]], list[str]] = {}
        for change in self.managed:
            if change.action is Action.UPDATE:
                shifts = self.shifts(change, change.changed_paths())
                same.setdefault((change.module_address, change.type, shifts), []).append(self.text(change.address))
        found = [Updated(tuple(sorted(addresses)), shifts) for (_, _, shifts), addresses in same.items()]
        return tuple(sorted(found, key=lambda updated: updated.addresses))

    @cached_property
    def outputs(self) -> tuple[Shift, ...]:
        """Outputs that change."""
        return tuple(
            Shift(self.text(output.name), self.shown(output.name, output.before), self.shown(output.name, output.after))
            for output in self.review.plan.outputs
            if output.action is not Action.NO_OP
        )

    def shifts(self, change: Change, paths: Iterable[str]) -> tuple[Shift, ...]:
        """What changes at these paths; inside JSON texts (policies, templates) at the places that differ."""
        found: dict[Shift, None] = {}
        causes = self.review.judgement.causes
        for path in paths:
            cause = self.text(", with ".join(causes.get((change.address, path), ())))
            shown = self.redactor.path(path, change.before, change.after)
            before, after = change.before.at(*steps(path)), change.after.at(*steps(path))
            if shown != path or before.is_sensitive or after.is_sensitive:
                found[Shift(visible(shown), MASK, MASK, cause)] = None
                continue
            inside = _inside(before, after)
            if isinstance(inside, tuple):
                for one in inside:
                    name = f"{visible(path)}: {self.text(one.place)}"
                    old, new = (self.plain(_field(one.place), side) for side in (one.before, one.after))
                    found[Shift(name, old, new, cause)] = None
            elif inside is not None:
                words = "only formatting" if isinstance(inside, Same) else "opaque: cannot be read as a structure"
                sizes = [f"(text of {len(str(side.raw()))} characters)" for side in (before, after)]
                found[Shift(f"{visible(path)} ({words})", sizes[0], sizes[1], cause)] = None
            else:
                found[Shift(visible(path), self.shown(path, before), self.shown(path, after), cause)] = None
        return tuple(found)

    def shown(self, path: str, value: Value) -> str:
        """A planned value in short: as JSON, ``(sensitive)``, or ``(known after apply)``."""
        if value.is_sensitive:
            return MASK
        if value.is_unknown:
            return repr(UNKNOWN)
        return self.plain(path, value.tree() if value.has_unknown else value.raw())

    def plain(self, path: str, value: object) -> str:
        """A known value in short, as JSON."""
        if value is ABSENT:
            return "(none)"
        value = self.redactor.value(_last_name(path), value)
        text = visible(self.redactor.text(json.dumps(value, ensure_ascii=False, sort_keys=True, default=_unknown)))
        if isinstance(value, str) and len(text) > self.longest:
            return f"(text of {len(value)} characters)"
        return shortened(text, self.longest)


def _last_name(path: str) -> str:
    return next((step for step in reversed(steps(path)) if isinstance(step, str)), "")


def _field(place: str) -> str:
    """The place, or the name that speaks for it: ``env[HF_TOKEN].value`` is the value of ``HF_TOKEN``."""
    named = _NAMED.search(place)
    return named[1] if named else place


def _inside(before: Value, after: Value) -> tuple[Difference, ...] | Same | Opaque | None:
    """What differs inside two texts that are known."""
    return None if before.is_unknown or after.is_unknown else compared(before.raw(), after.raw())


def _unknown(value: object) -> str:
    return repr(value) if isinstance(value, Unknown) else str(value)
