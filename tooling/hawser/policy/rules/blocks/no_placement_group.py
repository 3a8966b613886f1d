"""HW-BLK-002: the launch template of a Capacity Block leaves placement alone."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.blocks import is_block_template
from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown
from hawser.terraform.plan import Change


@change_rule(
    RuleMeta(
        id="HW-BLK-002",
        title="A launch template for a Capacity Block names no placement group.",
        area="blocks",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=("aws_launch_template",),
        looks_at="planned state",
        why="A block is already placed together; a placement group on top ends in InsufficientInstanceCapacity although"
        " the capacity is paid for.",
        fix="Use hawser's own node group module, which sets none; in other code take the placement group out.",
        references=("https://github.com/terraform-aws-modules/terraform-aws-eks/pull/3730",),
    )
)
def no_placement_group(change: Change, context: Context) -> Iterator[Hit]:
    """Naming one is the fault, also when its name is known only after apply."""
    if not is_block_template(change, context):
        return
    for key in ("group_name", "group_id"):
        group = change.after.at("placement", 0, key)
        if group.present:
            yield Hit(
                path=group.path,
                message=f"The launch template of a Capacity Block names a placement group ({shown(group)}).",
            )
