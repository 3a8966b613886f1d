"""What a change of an environment's files does to its guards: waivers, broken glass, levels, approvals.

Such a change can let through what would have been stopped, so it is told first and always needs approval.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Final

from hawser.contract.deployment import Guardrails
from hawser.contract.waivers import Waiver, Waivers
from hawser.decision.break_glass import sentence
from hawser.policy.findings import Level


@dataclass(frozen=True, slots=True)
class Guards:
    """The guards of one environment at one commit; ``guardrails`` is ``None`` where there is no such environment."""

    guardrails: Guardrails | None
    waivers: Waivers


@dataclass(frozen=True, slots=True)
class GuardChange:
    """One sentence about a guard, and whether the new one lets more through."""

    text: str
    looser: bool


def guard_changes(before: Guards, after: Guards) -> tuple[GuardChange, ...]:
    """Every difference between the guards of an environment, those that let more through first.

    None when the guards are equal; an environment that is new has no guards to be loosened, only waivers.
    """
    found = [*_glass(before.waivers, after.waivers), *_waivers(before.waivers, after.waivers)]
    if before.guardrails is not None and after.guardrails is not None:
        found += [*_levels(before.guardrails, after.guardrails), *_fields(before.guardrails, after.guardrails)]
    return tuple(sorted(found, key=lambda change: not change.looser))


def _glass(before: Waivers, after: Waivers) -> Iterator[GuardChange]:
    then, now = (sentence(w.break_glass) if w.break_glass else "" for w in (before, after))
    if now and now != then:
        yield GuardChange(f"glass is broken: {now}", looser=True)
    elif then and not now:
        yield GuardChange(f"broken glass is taken out: {then}", looser=False)


def _waivers(before: Waivers, after: Waivers) -> Iterator[GuardChange]:
    then, now = _by_place(before), _by_place(after)
    for key, waiver in now.items():
        if key not in then:
            text = f"a waiver is added: {_name(waiver)} until {waiver.expires}, {waiver.owner}: {waiver.reason}"
            yield GuardChange(text, looser=True)
            continue
        old = then[key]
        changed = [n for n in ("owner", "reason") if getattr(old, n) != getattr(waiver, n)]
        if old.expires != waiver.expires:
            changed.insert(0, f"its last day, {old.expires} → {waiver.expires}")
        if changed:
            text = f"the waiver of {_name(waiver)} changes: {', '.join(changed)}"
            yield GuardChange(text, looser=waiver.expires > old.expires)
    for key, waiver in then.items():
        if key not in now:
            yield GuardChange(f"a waiver is taken out: {_name(waiver)}", looser=False)


def _by_place(waivers: Waivers) -> dict[tuple[str, str, str], Waiver]:
    return {
        (w.rule, w.address, w.stack): w for w in sorted(waivers.entries, key=lambda w: (w.rule, w.address, w.stack))
    }


def _name(waiver: Waiver) -> str:
    return f"{waiver.rule} at {waiver.address}" + (f" in {waiver.stack}" if waiver.stack else "")


def _levels(before: Guardrails, after: Guardrails) -> Iterator[GuardChange]:
    order = list(Level)
    for rule in sorted(before.levels.keys() | after.levels.keys()):
        old, new = before.levels.get(rule), after.levels.get(rule)
        if old != new:
            # What the rule's own level is, its registry says; so a level that comes or goes may always be a looser one.
            looser = old is None or new is None or order.index(Level(new)) < order.index(Level(old))
            text = f"guardrails.levels.{rule} changes: {old or 'its own'} → {new or 'its own'}"
            yield GuardChange(text, looser)


def _fields(before: Guardrails, after: Guardrails) -> Iterator[GuardChange]:
    for field in fields(Guardrails):
        old, new = getattr(before, field.name), getattr(after, field.name)
        if field.name != "levels" and old != new:
            text = f"guardrails.{field.name} changes: {_shown(old)} → {_shown(new)}"
            yield GuardChange(text, _looser(field.name, old, new))


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(str(one) for one in value) or "(none)"
    return "(none)" if value is None else str(value)


_NUMBERS: Final = ("approvals", "approval_age_hours", "monthly_budget_usd")


def _looser(name: str, old: object, new: object) -> bool:
    """Fewer approvals, longer ages, more money and lower levels are; of what else there is nobody can say it is not."""
    if isinstance(old, int) and isinstance(new, int) and name in _NUMBERS:
        return new < old if name == "approvals" else new > old
    if name == "destroy":
        order = list(Level)
        return order.index(Level(str(new))) < order.index(Level(str(old)))
    return True
