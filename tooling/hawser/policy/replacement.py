"""Why a resource is replaced, in words."""

from __future__ import annotations

from hawser.policy.shown import at_path, shown
from hawser.terraform.plan import REASONS, Change


def reason_of(change: Change) -> str:
    """`` because name changes`` or `` (tainted: …)``; empty when the plan gives no reason."""
    if change.replace_paths:
        return f" because {', '.join(path or 'the whole object' for path in change.replace_paths)} changes"
    reason = REASONS.get(change.reason)
    return f" ({reason})" if reason else ""


def replacing_values(change: Change) -> tuple[str | None, str | None]:
    """Old and new value of the first path that forces the replacement."""
    if not change.replace_paths:
        return None, None
    path = change.replace_paths[0]
    return shown(at_path(change.before, path)), shown(at_path(change.after, path))
