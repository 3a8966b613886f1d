"""HW-CAP-002: a pool with running nodes is replaced or deleted."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.capacity import GROUPS, pools_of, running
from hawser.policy.endpoints import ENDPOINT
from hawser.policy.findings import Level, PoolCapacity, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.replacement import reason_of, replacing_values
from hawser.policy.shown import pool_path
from hawser.policy.stateful import folded
from hawser.terraform.plan import Action, Change


@change_rule(
    RuleMeta(
        id="HW-CAP-002",
        title="A pool of accelerators with running nodes is neither replaced nor deleted.",
        area="capacity",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=(*GROUPS, ENDPOINT),
        looks_at="change",
        why="Every replica on it ends at once. Until a new pool stands there are no accelerators in it, and a full"
        " Capacity Block cannot hold both pools.",
        fix="Make a new pool beside the old one in env.yaml (capacity.<new name>), move the replicas, then remove the"
        " old pool; or scale the pool to 0 first.",
    )
)
def pool_ends(change: Change, context: Context) -> Iterator[Hit]:
    """A replacement or deletion of a group whose desired size in the state is above 0.

    In a plan that destroys everything HW-DEL-001 speaks for all deletes.
    """
    nodes = running(change)
    if change.action not in (Action.REPLACE, Action.DELETE) or nodes == 0 or folded(context):
        return
    before, after = replacing_values(change)
    for pool in pools_of(change, context):
        yield Hit(
            path=change.replace_paths[0] if change.replace_paths else "",
            message=_message(change, pool, nodes),
            before=before,
            after=after,
            contract_path=pool_path(change.address, context.deployment),
        )


def _message(change: Change, pool: PoolCapacity, nodes: int | None) -> str:
    had = "all" if pool.before is None else str(pool.before)
    if change.action is Action.DELETE:
        deposed = f" (deposed object {change.deposed})" if change.deposed else ""
        return (
            f"Pool {pool.pool}{deposed} is deleted while {'its' if nodes is None else nodes} nodes run:"
            f" {had} accelerators, then none."
        )
    return f"Pool {pool.pool} is replaced{reason_of(change)}: {had} accelerators, then none, then those of a new pool."
