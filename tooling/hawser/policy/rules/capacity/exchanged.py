"""HW-CAP-007: the running nodes of a pool are exchanged for new ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hawser.policy.capacity import NODE_GROUP, pool_of, running
from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import pool_path, shown
from hawser.terraform.plan import Action, Change

#: A change of one of these is a version update of the group. EKS API reference, UpdateNodegroupVersion, 2026-11-30.
_VERSIONS: Final[tuple[tuple[str | int, ...], ...]] = (
    ("launch_template", 0, "version"),
    ("release_version",),
    ("version",),
)


@change_rule(
    RuleMeta(
        id="HW-CAP-007",
        title="The running nodes of a pool of accelerators keep their launch template, image and Kubernetes version.",
        area="capacity",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=(NODE_GROUP,),
        looks_at="change",
        why="The plan shows an update in place, also for other tags alone, and EKS exchanges every node for a new one:"
        " each loads the model anew, and a full reservation has no room for the node that is to come first.",
        fix="Leave what the launch template is made of as it is while the nodes run, make the change in a new pool"
        " beside this one (capacity.<new name>), or have whoever runs the service approve the hour.",
        references=("https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html",),
    )
)
def exchanged(change: Change, context: Context) -> Iterator[Hit]:
    """Updates of node groups whose desired size in the state is above 0.

    A version that is known only after apply is another one: Terraform keeps the number of a template that stays.
    """
    if change.action is not Action.UPDATE:
        return
    nodes = running(change)
    if nodes == 0 or (pool := pool_of(change, context)) is None:
        return
    for keys in _VERSIONS:
        old, new = change.before.at(*keys), change.after.at(*keys)
        if not new.has_unknown and new.raw() == old.raw():
            continue
        what = "all running nodes are" if nodes is None else "its node is" if nodes == 1 else f"its {nodes} nodes are"
        yield Hit(
            path=new.path,
            message=f"Pool {pool.pool} is updated in place: {what} exchanged for new ones, because {new.path} changes"
            f" from {shown(old)} to {shown(new)}.",
            before=shown(old),
            after=shown(new),
            contract_path=pool_path(change.address, context.deployment),
        )
        return
