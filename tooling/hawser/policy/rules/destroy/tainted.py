"""HW-DEL-005: something that could not be created to its end is destroyed and made anew."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.stateful import TAINTED, TYPES, what_is_lost
from hawser.terraform.plan import Action, Change


@change_rule(
    RuleMeta(
        id="HW-DEL-005",
        title="What holds data, keys, images or a cluster was created to its end.",
        area="destroy",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=TYPES,
        looks_at="change",
        why="An interrupted or failed create leaves the object tainted and the next apply destroys it; usually it is"
        " empty, but somebody may have used it since, or tainted it by hand.",
        fix="Look at the object: approve the replacement when it holds nothing, or run `terraform untaint` on it.",
    )
)
def tainted(change: Change, _: Context) -> Iterator[Hit]:
    """A replacement for no other reason than a create that did not end."""
    if change.action is not Action.REPLACE or change.reason != TAINTED:
        return
    yield Hit(
        path="",
        message=f"{change.type} is tainted (an earlier create failed half way), so it is destroyed with"
        f" {what_is_lost(change)} and made anew.",
    )
