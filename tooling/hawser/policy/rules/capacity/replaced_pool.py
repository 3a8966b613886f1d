"""HW-CAP-002: a pool with running nodes is replaced."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.capacity import GROUPS, running
from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.replacement import reason_of, replacing_values
from hawser.policy.shown import pool_path
from hawser.terraform.plan import Action, Change


@change_rule(
    RuleMeta(
        id="HW-CAP-002",
        title="A pool of accelerators with running nodes is not replaced.",
        area="capacity",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=GROUPS,
        looks_at="change",
        why="Until the new pool stands there are no accelerators in it, every replica on it ends, and a full Capacity"
        " Block cannot hold both pools.",
        fix="Make a new pool beside the old one in env.yaml (capacity.<new name>), move the replicas, then remove the"
        " old"
        " pool; or scale the pool to 0 first.",
    )
)
def replaced_pool(change: Change, context: Context) -> Iterator[Hit]:
    """A replacement of a group whose desired size in the state is above 0."""
    if change.action is not Action.REPLACE or running(change) == 0:
        return
    pool = next((pool for pool in context.capacity if pool.address == change.address), None)
    if pool is None:
        return
    before, after = replacing_values(change)
    yield Hit(
        path=change.replace_paths[0] if change.replace_paths else "",
        message=f"Pool {pool.pool} is replaced{reason_of(change)}: {pool.before if pool.before is not None else 'all'}"
        " accelerators, then none, then those of a new pool.",
        before=before,
        after=after,
        contract_path=pool_path(change.address, context.deployment),
    )
