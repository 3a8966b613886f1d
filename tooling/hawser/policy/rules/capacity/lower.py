"""HW-CAP-001: fewer accelerators than before."""

from __future__ import annotations

from collections import Counter
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
        title="The plan leaves at least as many accelerators of each type as there are.",
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
    """Compares the sum over all pools of a type, so that a move from an ending pool to a new one is quiet.

    Types are not added up: a replica that fits one kind of accelerator may not fit another.
    """
    if folded(context):
        return
    doubts = Doubts()
    pools = context.capacity
    for pool in pools:
        unknown = pool.before is None or pool.after is None
        if unknown and pool.before != 0 and not keeps_its_size(pool, context.plan):
            doubts.add(field_of(pool, context.plan), "gives a number of accelerators that is not known", pool.address)
    known = [(pool, pool.before, pool.after) for pool in pools if pool.before is not None and pool.after is not None]
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    for pool, old, new in known:
        before[pool.type_before] += old
        after[pool.type_after] += new
    for pool, old, new in known:
        kind = pool.type_before
        left = new if pool.type_after == kind else 0
        if after[kind] < before[kind] and left < old:
            others = f" (and has {new} of {pool.type_after})" if new and not left else ""
            yield Hit(
                path=field_of(pool, context.plan),
                message=f"Pool {pool.pool} falls from {old} to {left} accelerators of {kind}{others};"
                f" the plan as a whole from {before[kind]} to {after[kind]} of them.",
                before=str(old),
                after=str(left),
                contract_path=pool_path(pool.address, context.deployment, "count"),
                address=pool.address,
            )
    doubts.settle()
