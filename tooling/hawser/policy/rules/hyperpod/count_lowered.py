"""HW-HYP-003: an instance group shrinks."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.hyperpod import clusters, count_of, groups, is_readable_update, properties_path
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.templates import STACK
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Change


@change_rule(
    RuleMeta(
        id="HW-HYP-003",
        title="Each instance group of a HyperPod cluster keeps its number of nodes, or gets more.",
        area="hyperpod",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(STACK,),
        looks_at="change",
        why="HyperPod chooses itself which nodes of the group it deletes, also those that serve.",
        fix="Raise capacity.<pool>.count in env.yaml again, or drain the nodes and have the loss approved.",
    )
)
def count_lowered(change: Change, context: Context) -> Iterator[Hit]:
    """Groups are matched by name; a count that is not known leaves the group undecided."""
    if not is_readable_update(change):
        return
    doubts = Doubts()
    after = clusters(change, "after")
    for cluster, properties in clusters(change, "before").items():
        kept = dict(groups(after.get(cluster, {}), properties_path(cluster)))
        for name, group in groups(properties, properties_path(cluster)):
            if name not in kept:
                continue
            path = f"{properties_path(cluster)}.InstanceGroups.{name}.InstanceCount"
            old, new = count_of(group), count_of(kept[name])
            if old is None or new is None:
                doubts.add(path, "is not a known number")
            elif new < old:
                pools = context.deployment.environment.capacity if context.deployment else {}
                yield Hit(
                    path=path,
                    message=f"Instance group {name} of HyperPod cluster {cluster} falls from {old} to {new} nodes.",
                    before=str(old),
                    after=str(new),
                    contract_path=f"capacity.{name}.count" if name in pools else None,
                )
    doubts.settle()
