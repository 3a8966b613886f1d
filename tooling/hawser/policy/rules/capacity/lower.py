"""HW-CAP-001: fewer accelerators than before."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.capacity import POOLS, field_of, keeps_its_size
from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, plan_rule
from hawser.policy.shown import pool_path
from hawser.policy.stateful import folded
from hawser.policy.unknown import Doubts


@plan_rule(
    RuleMeta(
        id="HW-CAP-001",
        title="The plan leaves at least as many accelerators as there are.",
        area="capacity",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=POOLS,
        looks_at="change",
        why="Fewer accelerators end replicas of the model at once, and a type in demand may not come back for weeks.",
        fix="Raise capacity.<pool>.count in env.yaml again, or have the loss approved by whoever runs the service.",
    )
)
def lower(context: Context) -> Iterator[Hit]:
    """Compares the sum over all pools, so that a move from an ending pool to a new one is quiet."""
    if folded(context):
        return
    doubts = Doubts()
    pools = context.capacity
    for pool in pools:
        unknown = pool.before is None or pool.after is None
        if unknown and pool.before != 0 and not keeps_its_size(pool, context.plan):
            doubts.add(field_of(pool, context.plan), "gives a number of accelerators that is not known", pool.address)
    known = [(pool, pool.before, pool.after) for pool in pools if pool.before is not None and pool.after is not None]
    before, after = sum(old for _, old, _ in known), sum(new for _, _, new in known)
    for pool, old, new in known:
        if after < before and new < old:
            yield Hit(
                path=field_of(pool, context.plan),
                message=f"Pool {pool.pool} falls from {old} to {new} accelerators ({pool.instance_type});"
                f" the plan as a whole from {before} to {after}.",
                before=str(old),
                after=str(new),
                contract_path=pool_path(pool.address, context.deployment, "count"),
                address=pool.address,
            )
    doubts.settle()
