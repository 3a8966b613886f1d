"""HW-BLK-005: a Capacity Block's launch template says so."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.blocks import MARKET, block_pool_address, is_block_group, market_type
from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import pool_path, shown
from hawser.terraform.plan import Change
from hawser.terraform.values import UndecidableError


@change_rule(
    RuleMeta(
        id="HW-BLK-005",
        title="Launch template and node group agree that they are on a Capacity Block.",
        area="blocks",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=("aws_launch_template",),
        looks_at="planned state",
        why="If only one of the two says so, EKS refuses the node group or starts on-demand instances beside the paid"
        " block.",
        fix="Set capacity.<pool>.kind to capacity-block in env.yaml; hawser then writes both.",
    )
)
def agreeing_market_type(change: Change, context: Context) -> Iterator[Hit]:
    """Looks at the template together with the EKS node groups that use it."""
    groups = [g for g in context.launch_templates.users.get(change.address, ()) if g.type == "aws_eks_node_group"]
    market = market_type(change)
    for group in groups:
        wanted = is_block_group(group)
        if market.is_unknown:
            raise UndecidableError(market.path)
        if wanted == (market.raw() == MARKET) or group.after.get("capacity_type").is_unknown:
            continue
        yield Hit(
            path=market.path,
            message=f"{group.address} has capacity type {shown(group.after.get('capacity_type'))}, its launch template"
            f" market type {shown(market)}.",
            contract_path=pool_path(block_pool_address(change, context), context.deployment, "kind"),
        )
