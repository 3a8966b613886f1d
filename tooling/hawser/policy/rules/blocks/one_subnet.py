"""HW-BLK-003: a Capacity Block's node group stands in one subnet."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.blocks import is_block_group
from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import pool_path
from hawser.terraform.plan import Change


@change_rule(
    RuleMeta(
        id="HW-BLK-003",
        title="A node group on a Capacity Block has exactly one subnet, in the block's zone.",
        area="blocks",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=("aws_eks_node_group",),
        looks_at="planned state",
        why="A block lies in one zone. With subnets of several zones the group asks at random where there is no"
        " capacity.",
        fix="Give the block's zone in capacity.<pool>.zone_id; hawser then uses the node subnet of that zone alone.",
    )
)
def one_subnet(change: Change, context: Context) -> Iterator[Hit]:
    """Counts ``subnet_ids``; the ids themselves may be unknown."""
    if not is_block_group(change):
        return
    number = sum(1 for _ in change.after.get("subnet_ids").elements())
    if number != 1:
        yield Hit(
            path="subnet_ids",
            message=f"The node group is on a Capacity Block, which lies in one zone, but has {number} subnets.",
            contract_path=pool_path(change.address, context.deployment, "zone_id"),
        )
