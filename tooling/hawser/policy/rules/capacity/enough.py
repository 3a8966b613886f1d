"""HW-CAP-003: fewer accelerators than the contract needs."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.capacity import POOLS, field_of
from hawser.policy.findings import Level, PoolCapacity, Severity
from hawser.policy.pool import accelerators
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
    """Needs the deployment; a stack without pools (platform) has nothing to say.

    Counts pools of the types that ``capacity`` in env.yaml names: the contract was checked to fit on those.
    """
    if context.deployment is None or not context.capacity or folded(context):
        return
    environment, serving = context.deployment.environment, context.deployment.contract.serving
    needed = context.deployment.gpus_needed
    types = {pool.instance_type for pool in environment.capacity.values()}
    counted = [pool for pool in context.capacity if not types or pool.type_after in types]
    there = sum(pool.after for pool in counted if pool.after is not None)
    unknown = [pool for pool in context.capacity if pool.after is None and (pool in counted or not _typed(pool))]
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
        f" after the apply there are {there}{_named(types)}.",
        before=str(needed),
        after=str(there),
        contract_path="replicas",
        changed=any(change.changes for change in context.plan.changes if change.address in pools),
    )


def _typed(pool: PoolCapacity) -> bool:
    return accelerators(pool.type_after) is not None and pool.type_after != "unknown"


def _named(types: set[str]) -> str:
    return f" of {' or '.join(sorted(types))}" if types else ""
