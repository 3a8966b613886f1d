"""HW-HYP-005: a field of the stack itself changes that replaces stack and cluster."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.hyperpod import holds_cluster
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.replacement import reason_of, replacing_values
from hawser.policy.templates import STACK
from hawser.terraform.plan import Action, Change


@change_rule(
    RuleMeta(
        id="HW-HYP-005",
        title="Name, on_failure, disable_rollback and timeout_in_minutes of a HyperPod stack stay as they are.",
        area="hyperpod",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=(STACK,),
        looks_at="change",
        why="These fields cannot be changed on a stack: Terraform deletes it with the cluster, and makes another.",
        fix="Take back the change: these fields are chosen once, when the stack is made.",
    )
)
def stack_replaced(change: Change, _: Context) -> Iterator[Hit]:
    """Every replacement of a stack that holds a HyperPod cluster, with the fields that force it."""
    if change.action is not Action.REPLACE or not holds_cluster(change):
        return
    before, after = replacing_values(change)
    yield Hit(
        path=change.replace_paths[0] if change.replace_paths else "",
        message=f"The stack is replaced{reason_of(change)}: the HyperPod cluster in it is deleted with all its nodes.",
        before=before,
        after=after,
        contract_path="cluster.name" if "name" in change.replace_paths else None,
    )
