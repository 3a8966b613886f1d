"""HW-DEL-001: the whole stack is destroyed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, plan_rule
from hawser.policy.stateful import STATEFUL, folded


@plan_rule(
    RuleMeta(
        id="HW-DEL-001",
        title="The plan leaves something standing.",
        area="destroy",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="change",
        why="A plan that deletes every resource ends the service. All its deletes are folded into this one finding, so"
        " that it is read.",
        fix="To take the environment down on purpose, set guardrails.destroy to approval in its env.yaml in a reviewed"
        " change, then run `hawser destroy ENV`.",
    )
)
def everything_destroyed(context: Context) -> Iterator[Hit]:
    """One hit for a plan in which every managed resource is deleted."""
    if not folded(context):
        return
    managed = [change for change in context.plan.changes if change.mode == "managed"]
    stateful = Counter(change.type for change in managed if change.type in STATEFUL)
    named = ", ".join(f"{number} {type_}" for type_, number in sorted(stateful.items()))
    counts = [pool.before for pool in context.capacity]
    known = sum(count for count in counts if count is not None)
    lost = f"; {known}{' or more' if None in counts else ''} accelerators go" if counts else ""
    yield Hit(
        path="",
        message=f"The plan destroys all {len(managed)} resources of the stack"
        f"{f', among them {named}' if named else ''}{lost}.",
    )
