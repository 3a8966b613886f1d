"""HW-DEL-004: something that holds data is no longer managed."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.stateful import TYPES
from hawser.terraform.plan import Action, Change


@change_rule(
    RuleMeta(
        id="HW-DEL-004",
        title="What holds data, keys, images or a cluster stays managed.",
        area="destroy",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=TYPES,
        looks_at="change",
        why="A forgotten object stays in the account and on the bill, but no later plan shows or protects it.",
        fix="Say in the pull request who owns it from now on; to manage it again, import it.",
    )
)
def forgotten(change: Change, _: Context) -> Iterator[Hit]:
    """A forget (``removed`` block with ``destroy = false``), also the forgetting half of a replacement."""
    if change.action is Action.FORGET or "forget" in change.actions:
        yield Hit(path="", message=f"{change.type} leaves Terraform's state but stays in the account.")
