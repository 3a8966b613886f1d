"""What ``hawser policy waivers`` tells: each reviewed exception, how long it lasts, and whether anything needs it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hawser.cli import bundles
from hawser.cli.judging import known_to
from hawser.contract import environment_names
from hawser.contract.waivers import BreakGlass, Waiver, load_waivers
from hawser.decision import break_glass, waivers
from hawser.errors import HawserError
from hawser.terraform.stacks import NAMED


@dataclass(frozen=True, slots=True)
class Listed:
    """One exception. ``left`` is in words; ``wrong`` says why it covers nothing (``""``: it is in force).

    ``matches`` says what it meets in the newest plans of its stacks.
    """

    environment: str
    rule: str
    address: str
    stack: str
    owner: str
    reason: str
    left: str
    wrong: str
    matches: str
    place: str


def listed(root: Path, env: str | None) -> list[Listed]:
    """Every exception of ``env``, or of all environments. Raises what ``load_waivers`` raises."""
    now = datetime.now(UTC)
    found: list[Listed] = []
    for name in environment_names(root) if env is None else (env,):
        exceptions = load_waivers(root, name)
        known = known_to(exceptions)
        newest = _newest(root / ".hawser" / name)
        for waiver in exceptions.entries:
            fault = waivers.fault(waiver, known, now.date())
            days = (waiver.expires - now.date()).days
            found.append(
                Listed(
                    name, waiver.rule, waiver.address, waiver.stack, waiver.owner, waiver.reason,
                    _left(days, "day"), fault[0] if fault else "", _matches(waiver, newest), str(waiver.place),
                )
            )  # fmt: skip
        if glass := exceptions.break_glass:
            found.append(_glass(name, glass, break_glass.fault(glass, known, now), now))
    return found


def _glass(env: str, glass: BreakGlass, wrong: str, now: datetime) -> Listed:
    hours = int((glass.until - now).total_seconds() // 3600)
    return Listed(
        env, ", ".join(glass.rules), "", glass.stack, glass.by, glass.reason,
        _left(hours, "hour"), wrong, "BROKEN GLASS", str(glass.place),
    )  # fmt: skip


def _left(number: int, unit: str) -> str:
    if number < 0:
        return "over"
    return f"last {unit}" if number == 0 else f"{number} {unit}{'s' if number != 1 else ''} left"


def _newest(folder: Path) -> Mapping[str, tuple[str, list[tuple[str, str]]]]:
    """Per stack with a plan: how the newest one is called, and (rule, address) of its findings."""
    found = {}
    for stack in NAMED:
        speculative = bundles.speculative(folder / stack)
        if speculative is not None:
            found[stack] = ("speculative plan", _findings(speculative))
            continue
        try:
            bundle = bundles.newest(folder / stack)
        except HawserError:
            bundle = None
        if bundle is not None:
            found[stack] = (f"plan {bundle.digest[:12]}", _findings(bundle.folder))
    return found


def _findings(folder: Path) -> list[tuple[str, str]]:
    try:
        document: Any = json.loads((folder / "findings.json").read_bytes())
        return [(str(entry["rule_id"]), str(entry["address"])) for entry in document]
    except (OSError, ValueError, TypeError, KeyError):
        return []


def _matches(waiver: Waiver, newest: Mapping[str, tuple[str, list[tuple[str, str]]]]) -> str:
    plans = {stack: it for stack, it in newest.items() if waiver.stack in ("", stack)}
    if not plans:
        return "no plan here to compare with"
    met = [f"{stack} ({name})" for stack, (name, found) in plans.items() if (waiver.rule, waiver.address) in found]
    if met:
        return f"covers a finding in {', '.join(met)}"
    where = ", ".join(f"{stack} ({name})" for stack, (name, _) in plans.items())
    return f"matches nothing in {where}{_meant(waiver, (one for _, found in plans.values() for one in found))}"


def _meant(waiver: Waiver, found: Iterable[tuple[str, str]]) -> str:
    return waivers.nearest(waiver.address, {address for rule, address in found if rule == waiver.rule})
