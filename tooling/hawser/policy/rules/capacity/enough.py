"""HW-CAP-003: fewer accelerators than the contract needs."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.capacity import POOLS, field_of
from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, plan_rule
from hawser.policy.stateful import folded
from hawser.policy.unknown import Doubts


@plan_rule(
    RuleMeta(
        id="HW-CAP-003",
        title="The plan leaves the accelerators that the contract's replicas need.",
        area="capacity",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=POOLS,
        looks_at="planned state",
        why="replicas × serving.gpus_per_replica accelerators must exist, or a replica waits for a node that never"
        " comes.",
        fix="Lower replicas in env.yaml, or raise capacity.<pool>.count (a Capacity Block counts with its full size).",
    )
)
def enough(context: Context) -> Iterator[Hit]:
    """Needs the deployment; a stack without pools (platform) has nothing to say."""
    if context.deployment is None or not context.capacity or folded(context):
        return
    environment, serving = context.deployment.environment, context.deployment.contract.serving
    needed = environment.replicas * serving.gpus_per_replica
    there = sum(pool.after for pool in context.capacity if pool.after is not None)
    unknown = [pool for pool in context.capacity if pool.after is None]
    if there >= needed:
        return
    if unknown:
        doubts = Doubts()
        for pool in unknown:
            doubts.add(field_of(pool, context.plan), "gives a number of accelerators that is not known", pool.address)
        doubts.settle()
    pools = {pool.address for pool in context.capacity}
    yield Hit(
        path="",
        message=f"{environment.replicas} replicas need {needed} accelerators ({serving.gpus_per_replica} each);"
        f" after the apply there are {there}.",
        before=str(needed),
        after=str(there),
        contract_path="replicas",
        changed=any(change.changes for change in context.plan.changes if change.address in pools),
    )
