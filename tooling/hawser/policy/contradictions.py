"""What no plan of terraform says: entries that contradict themselves, or the planned values beside them.

Rules go by type, mode, address and action, and checkov reads ``planned_values`` while rules read ``resource_changes``.
A plan in which these disagree shows one thing to one reader and another to the next, so it has no verdict. What holds
in real plans was seen in 1,400 entries of Terraform 1.11.4 (2026-11-30).
"""

from __future__ import annotations

from collections.abc import Iterator

from hawser.terraform.plan import Action, Change, Plan

#: Actions whose entry has nothing before, and those that have nothing after.
_NEW = (Action.CREATE,)
_GONE = (Action.DELETE, Action.FORGET)


def contradictions(plan: Plan) -> Iterator[tuple[str, str]]:
    """(address, what is wrong with it, completing "The plan lists ADDRESS …"); one per entry at most."""
    seen: set[tuple[str, str | None]] = set()
    planned: dict[str, object] = {}
    for address, values in plan.planned():
        if address in planned:
            yield address, "twice in its planned values"
        planned[address] = values
    for change in plan.changes:
        key = (change.address, change.deposed)
        if what := "twice" if key in seen else _in_itself(change) or _against(change, planned):
            yield change.address, what
        seen.add(key)
    listed = {change.address for change in plan.changes if change.mode == "managed" and change.planned}
    for address in sorted(planned.keys() - listed):
        yield address, "in its planned values only, and says of no change that leads there"


def _in_itself(change: Change) -> str:
    data = change.mode == "data"
    prefix = f"{change.module_address}." if change.module_address else ""
    name = f"{prefix}{'data.' if data else ''}{change.type}.{change.name}"
    if change.mode not in ("managed", "data"):
        return "with a mode that is neither managed nor data"
    if data and change.changes:
        return f"as a data source, but with the action {change.action}"
    if change.address != name and not change.address.startswith(f"{name}["):
        return f"with type, name and module of another ({name})"
    if not data and change.before.is_null is not (change.action in _NEW):
        return f"with the action {change.action} and {'no' if change.before.is_null else 'a'} value before it"
    if not data and change.after.is_null is not (change.action in _GONE):
        return f"with the action {change.action} and {'no' if change.after.is_null else 'a'} value after it"
    if change.action is Action.NO_OP and change.before.raw() != change.after.raw():
        return "as unchanged, with different values before and after"
    return ""


def _against(change: Change, planned: dict[str, object]) -> str:
    if change.mode != "managed" or change.deposed is not None or not change.planned:
        return ""
    if change.address not in planned:
        return f"with the action {change.action}, but not in its planned values"
    return "" if planned[change.address] == change.after.raw() else "with other values than its planned values have"
