"""HW-BLK-001: the launch template of a Capacity Block names its reservation."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.blocks import block_pool_address, is_block_template
from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import pool_path
from hawser.terraform.plan import Change

_TARGET = ("capacity_reservation_specification", 0, "capacity_reservation_target", 0)


@change_rule(
    RuleMeta(
        id="HW-BLK-001",
        title="A launch template for a Capacity Block names the reservation.",
        area="blocks",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=("aws_launch_template",),
        looks_at="planned state",
        why="Without a reservation id the instances are asked for outside the block that was paid for, and do not"
        " start.",
        fix="Give capacity.<pool>.reservation_id in env.yaml.",
        references=("https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html",),
    )
)
def reservation_named(change: Change, context: Context) -> Iterator[Hit]:
    """A presence rule: an id that is known only after apply is an id."""
    if not is_block_template(change, context):
        return
    target = change.after.at(*_TARGET)
    named = ("capacity_reservation_id", "capacity_reservation_resource_group_arn")
    if target.is_unknown or any(target.get(key).present for key in named):
        return
    yield Hit(
        path=target.get(named[0]).path,
        message="The launch template is for a Capacity Block, but names no reservation.",
        contract_path=pool_path(block_pool_address(change, context), context.deployment, "reservation_id"),
    )
