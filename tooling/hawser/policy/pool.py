"""One pool of accelerators: how many an instance has, and what a change does to the pool."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from hawser.facts import instances
from hawser.policy.findings import PoolCapacity
from hawser.policy.unknown import State
from hawser.terraform.plan import Change
from hawser.terraform.values import UNKNOWN, Value

#: Families of EC2 whose instances have accelerators: p, g, gr, trn, inf, dl, vt, f and a generation number.
_ACCELERATED: Final = re.compile(r"(?:p|g|gr|trn|inf|dl|vt|f)\d")


def accelerators(instance_type: str) -> int | None:
    """Accelerators of one instance (EC2 name or ``ml.`` name); ``None`` for an accelerated type without a figure."""
    name = instance_type.removeprefix("ml.")
    if known := instances().get(name):
        return known.gpus
    return None if _ACCELERATED.match(name) else 0


@dataclass(frozen=True, slots=True)
class Nodes:
    """One side of a pool: instance type ("" when unknown) and number of instances (``None`` when unknown)."""

    instance_type: str
    count: int | None

    @property
    def accelerators(self) -> int | None:
        """All of them together; ``None`` when it is not known."""
        if self.count == 0:
            return 0
        each = accelerators(self.instance_type) if self.instance_type else None
        return None if each is None or self.count is None else each * self.count

    @property
    def none_at_all(self) -> bool:
        """An instance type that has no accelerators."""
        return bool(self.instance_type) and accelerators(self.instance_type) == 0


def pool(
    name: str, change: Change, before: Nodes | None, after: Nodes | None, note: str, gone: State
) -> PoolCapacity | None:
    """The pool with its two sides; nothing when it has accelerators on neither.

    ``gone`` says whether what runs now ends before the apply is through.
    """
    sides = [side for side in (before, after) if side is not None]
    if not sides or all(side.none_at_all for side in sides):
        return None
    old = before.accelerators if before else 0
    new = after.accelerators if after else 0
    if gone is True or before is None or after is None:
        during: int | None = 0
    else:
        during = None if gone is UNKNOWN or old is None or new is None else min(old, new)
    types = dict.fromkeys(side.instance_type for side in sides if side.instance_type)
    return PoolCapacity(name, change.address, " → ".join(types) or "unknown", old, during, new, note, change.deposed)


def whole(value: Value) -> int | None:
    """A whole number that is known, or nothing."""
    number = value.raw()
    if value.is_unknown or isinstance(number, bool) or not isinstance(number, int):
        return None
    return number


def text_of(value: Value) -> str:
    """A text that is known, or ``""``."""
    text = value.raw()
    return text if isinstance(text, str) and not value.is_unknown else ""
