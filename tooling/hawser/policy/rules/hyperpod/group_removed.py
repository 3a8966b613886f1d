"""HW-HYP-002: an instance group goes away."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.hyperpod import clusters, count_of, groups, is_readable_update, properties_path
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.templates import STACK
from hawser.terraform.plan import Change


@change_rule(
    RuleMeta(
        id="HW-HYP-002",
        title="Every instance group of a HyperPod cluster is still in the template.",
        area="hyperpod",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(STACK,),
        looks_at="change",
        why="A group that is missing in the new template is deleted with its nodes and whatever runs on them; the plan"
        " shows only a changed string.",
        fix="Put capacity.<pool> back into env.yaml, or drain the group and have its removal approved.",
    )
)
def group_removed(change: Change, context: Context) -> Iterator[Hit]:
    """Groups are matched by name: their order means nothing."""
    if not is_readable_update(change):
        return
    after = clusters(change, "after")
    for cluster, properties in clusters(change, "before").items():
        kept = {name for name, _ in groups(after.get(cluster, {}), properties_path(cluster))}
        for name, group in groups(properties, properties_path(cluster)):
            if name in kept:
                continue
            count = count_of(group)
            instance_type = group.get("InstanceType")
            yield Hit(
                path=f"{properties_path(cluster)}.InstanceGroups.{name}",
                message=f"Instance group {name} is removed from HyperPod cluster {cluster}: its"
                f" nodes{'' if count is None else f' ({count})'} are deleted.",
                before=f"{count} × {instance_type}" if count is not None and isinstance(instance_type, str) else None,
                contract_path="capacity" if context.deployment else None,
            )
