"""HW-DEL-003: something that holds data is destroyed and made anew."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.hyperpod import holds_cluster
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.replacement import reason_of, replacing_values
from hawser.policy.stateful import TAINTED, TYPES, what_is_lost
from hawser.policy.templates import STACK
from hawser.terraform.plan import Action, Change


@change_rule(
    RuleMeta(
        id="HW-DEL-003",
        title="What holds data, keys, images or a cluster is changed in place, not replaced.",
        area="destroy",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=TYPES,
        looks_at="change",
        why="A replacement destroys the old object with what it holds; the new one is empty.",
        fix="Take back the change of the field that forces the replacement, or make a second object beside the old one"
        " and move the data before the old one goes.",
    )
)
def replaced(change: Change, _: Context) -> Iterator[Hit]:
    """A replacement; HyperPod stacks are left to HW-HYP-005, which names the fields, tainted objects to HW-DEL-005."""
    if (
        change.action is not Action.REPLACE
        or change.reason == TAINTED
        or (change.type == STACK and holds_cluster(change))
    ):
        return
    before, after = replacing_values(change)
    yield Hit(
        path=change.replace_paths[0] if change.replace_paths else "",
        message=f"{change.type} is replaced{reason_of(change)}: it is destroyed with {what_is_lost(change)}.",
        before=before,
        after=after,
    )
