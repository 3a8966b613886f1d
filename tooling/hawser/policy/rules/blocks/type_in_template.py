"""HW-BLK-004: a Capacity Block's instance type stands in the launch template."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.blocks import is_block_group
from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import pool_path, shown
from hawser.policy.unknown import OpaqueError
from hawser.terraform.plan import Change
from hawser.terraform.values import UndecidableError


@change_rule(
    RuleMeta(
        id="HW-BLK-004",
        title="A node group on a Capacity Block has its one instance type in the launch template.",
        area="blocks",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=("aws_eks_node_group",),
        looks_at="planned state",
        why="EKS refuses a Capacity Block whose instance type stands in the node group, and one without a launch"
        " template.",
        fix="Give capacity.<pool>.instance_type in env.yaml and let hawser's node group module place it.",
        references=("https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html",),
    )
)
def type_in_template(change: Change, context: Context) -> Iterator[Hit]:
    """The type must be in the template and only there."""
    if not is_block_group(change):
        return
    origin = pool_path(change.address, context.deployment, "instance_type")
    own = change.after.get("instance_types")
    written = bool(context.configuration.expression(change, "instance_types"))
    if own.is_unknown and written:
        raise UndecidableError(own.path)
    if own.present and not own.is_unknown:
        yield Hit(
            path=own.path, message=f"The instance type ({shown(own)}) stands in the node group.", contract_path=origin
        )
    if not change.after.get("launch_template").present:
        yield Hit(path="launch_template", message="The node group has no launch template.", contract_path=origin)
        return
    template = context.launch_templates.of(change, "after")
    if template is None:
        raise OpaqueError("launch_template[0]", "names a launch template that is not in this plan")
    if not template.after.get("instance_type").present:
        yield Hit(
            path="launch_template[0]",
            message=f"Its launch template {template.address} names no instance type.",
            contract_path=origin,
        )
