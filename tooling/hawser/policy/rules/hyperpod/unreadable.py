"""HW-HYP-004: nobody can see what an update does to a HyperPod cluster."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.hyperpod import is_update_of_cluster, unreadable_side
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.templates import STACK, template
from hawser.policy.unknown import OpaqueError
from hawser.terraform.plan import Change


@change_rule(
    RuleMeta(
        id="HW-HYP-004",
        title="Template and parameters of a HyperPod stack are known when it is updated.",
        area="hyperpod",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=(STACK,),
        looks_at="change",
        why="Behind an unknown template or parameter the cluster may be replaced, and nobody could have seen it.",
        fix="Apply the stack that the ids come from first, then plan again: the ids are then plain values. Give"
        " template and parameters literally.",
    )
)
def unreadable(change: Change, _: Context) -> Iterator[Hit]:
    """Template unknown, unreadable or outside the plan; parameters unknown although the template declares some."""
    if not is_update_of_cluster(change):
        return
    if found := unreadable_side(change):
        side, error = found
        reason = error.reason if isinstance(error, OpaqueError) else "is known only after apply"
        yield Hit(
            path=error.path,
            message=f"The HyperPod stack is updated, but its {error.path} {side} the update {reason}: a replacement"
            " of the cluster could hide in it.",
        )
        return
    if template(change, "after").get("Parameters") and change.after.get("parameters").has_unknown:
        yield Hit(
            path="parameters",
            message="The HyperPod stack is updated, but its parameters are known only after apply: a replacement of the"
            " cluster could hide behind a Ref.",
        )
