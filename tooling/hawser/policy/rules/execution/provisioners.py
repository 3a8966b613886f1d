"""HW-RUN-001: an apply runs commands that the plan does not show."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, plan_rule
from hawser.terraform.configuration import module_path
from hawser.terraform.plan import Action, Change

_RUN_AT = (Action.CREATE, Action.REPLACE, Action.DELETE)


@plan_rule(
    RuleMeta(
        id="HW-RUN-001",
        title="What an apply does is in the plan: resources have no provisioners.",
        area="execution",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=(),
        looks_at="change",
        why="A provisioner runs any command with the credentials of the apply, and no plan shows what it does.",
        fix="Do it by a resource, or as a step of its own after the apply, which is reviewed by itself.",
    )
)
def provisioners(context: Context) -> Iterator[Hit]:
    """One hit per instance; it decides when this plan creates, replaces or deletes the instance."""
    instances: dict[tuple[str, str], list[Change]] = {}
    for change in context.plan.changes:
        if change.mode == "managed":
            key = module_path(change.module_address), f"{change.type}.{change.name}"
            instances.setdefault(key, []).append(change)
    for key, entry in sorted(context.configuration.resources.items()):
        listed = entry.get("provisioners")
        kinds = sorted(
            {str(one.get("type")) for one in listed if isinstance(one, dict)} if isinstance(listed, list) else ()
        )
        for change in instances.get(key, ()) if kinds else ():
            yield Hit(
                path="provisioner",
                message=f"Has {len(listed or ())} provisioner(s) ({', '.join(kinds)}) that run outside the plan.",
                address=change.address,
                changed=change.action in _RUN_AT,
            )
