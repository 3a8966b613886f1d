"""Accelerators before, during and after an apply, pool by pool.

EKS node groups, autoscaling groups, fleets, single instances, SageMaker endpoints and HyperPod instance groups (in
CloudFormation, awscc or Cloud Control) are counted: instances × accelerators of the type. A Capacity Block pool counts
by its schedule (its maximum), because its desired size is 0 whenever the block has not begun. During the apply a
replaced or deleted pool has none. A reservation runs nothing: HW-CAP-005 speaks for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from hawser.contract.deployment import Deployment
from hawser.policy.documents import CLUSTER, json_of
from hawser.policy.endpoints import ENDPOINT, endpoint_pools
from hawser.policy.findings import PoolCapacity
from hawser.policy.hyperpod import (
    clusters,
    count_of,
    create_only_changes,
    groups,
    holds_cluster,
    properties_path,
)
from hawser.policy.launch_templates import LaunchTemplates, Side
from hawser.policy.pool import Nodes, pool, text_of, whole
from hawser.policy.registry import Context
from hawser.policy.shown import pool_name
from hawser.policy.templates import STACK
from hawser.policy.unknown import OpaqueError, State, any_of
from hawser.terraform.configuration import Configuration
from hawser.terraform.plan import Action, Change, Plan
from hawser.terraform.values import UndecidableError, Value

NODE_GROUP: Final = "aws_eks_node_group"
SCALING_GROUP: Final = "aws_autoscaling_group"
BLOCK: Final = "CAPACITY_BLOCK"

INSTANCE: Final = "aws_instance"
SPOT_INSTANCE: Final = "aws_spot_instance_request"
FLEET: Final = "aws_ec2_fleet"
SPOT_FLEET: Final = "aws_spot_fleet_request"
AWSCC_CLUSTER: Final = "awscc_sagemaker_cluster"
CLOUD_CONTROL: Final = "aws_cloudcontrolapi_resource"

#: Types of which each object is one pool, and types that hold several.
GROUPS: Final = (NODE_GROUP, SCALING_GROUP, FLEET, SPOT_FLEET, INSTANCE, SPOT_INSTANCE)
HOLDERS: Final = (STACK, AWSCC_CLUSTER, CLOUD_CONTROL)
POOLS: Final = (*GROUPS, ENDPOINT, *HOLDERS)

_SINGLE: Final = (INSTANCE, SPOT_INSTANCE)
#: Type -> where the number of instances stands. Node groups: see ``size_of``.
_SIZE: Final[Mapping[str, tuple[str | int, ...]]] = {
    SCALING_GROUP: ("desired_capacity",),
    FLEET: ("target_capacity_specification", 0, "total_target_capacity"),
    SPOT_FLEET: ("target_capacity",),
    INSTANCE: ("instance_type",),
    SPOT_INSTANCE: ("instance_type",),
}
#: Type -> the attribute that gives the size of its pools.
_FIELD: Final[Mapping[str, str]] = {
    STACK: "template_body",
    CLOUD_CONTROL: "desired_state",
    AWSCC_CLUSTER: "instance_groups",
    ENDPOINT: "endpoint_config_name",
}
#: Type -> blocks that list instance types.
_TYPES: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    FLEET: (("launch_template_config", "override"),),
    SPOT_FLEET: (("launch_template_config", "overrides"), ("launch_specification", "")),
}


def capacity(
    plan: Plan, deployment: Deployment | None, templates: LaunchTemplates | None = None
) -> tuple[PoolCapacity, ...]:
    """Pools with accelerators, sorted by address and name."""
    templates = templates or LaunchTemplates(plan, Configuration(plan.document.get("configuration")))
    managed = [change for change in plan.of_type(*POOLS) if change.mode == "managed"]
    found: list[PoolCapacity] = []
    for change in managed:
        if change.type in GROUPS:
            found.extend(filter(None, (_group(change, templates, deployment),)))
        elif change.type == ENDPOINT:
            found.extend(endpoint_pools(change, plan, templates.configuration))
        else:
            found.extend(_hyperpod(change))
    return tuple(sorted(found, key=lambda pool: (pool.address, pool.pool)))


# -- node groups and autoscaling groups ------------------------------------------------------------------------


def _group(change: Change, templates: LaunchTemplates, deployment: Deployment | None) -> PoolCapacity | None:
    before = None if change.before.is_null else _nodes(change, "before", templates)
    after = None if change.after.is_null else _nodes(change, "after", templates)
    note = ""
    if change.action is Action.FORGET:
        after, note = before, "no longer managed; it keeps running"
    elif change.action is Action.REPLACE:
        note = "replaced: none while the new pool is made"
    elif change.deposed is not None:
        note = f"deposed object {change.deposed}"
    elif _is_block(change):
        note = "counted by schedule (maximum)"
    gone = change.action in (Action.REPLACE, Action.DELETE)
    return pool(_name(change, deployment), change, before, after, note, gone)


def _is_block(change: Change) -> bool:
    return any(side.get("capacity_type").raw() == BLOCK for side in (change.before, change.after))


def _nodes(change: Change, side: Side, templates: LaunchTemplates) -> Nodes:
    value = change.before if side == "before" else change.after
    count = _count(change, side)
    if change.type == SCALING_GROUP:
        return Nodes(_scaling_type(change, value, side, templates), count)
    if change.type in _SINGLE:
        return Nodes(text_of(value.get("instance_type")) or _template_type(templates.of(change, side), side), count)
    if change.type in _TYPES:
        return Nodes(_fleet_type(change, value, side, templates), count)
    return Nodes(instance_type_of(change, side, templates), count)


def _count(change: Change, side: Side) -> int | None:
    value = change.before if side == "before" else change.after
    if change.type in _SINGLE:
        return 1
    if value.at("target_capacity_specification", 0, "target_capacity_unit_type").raw() not in (None, "", "units"):
        return None  # counted in vCPUs or memory
    count, most = whole(size_of(change, side)), whole(_maximum(change, value))
    return count if count is None or most is None else min(count, most)  # a maximum below what is desired lowers it


def _fleet_type(change: Change, value: Value, side: Side, templates: LaunchTemplates) -> str:
    """The one type of a fleet; ``""`` when there are several or it is not known."""
    types: set[str] = set()
    for block, inner in _TYPES[change.type]:
        listed = value.get(block).raw()
        for entry in listed if isinstance(listed, list) else ():
            rows = (entry.get(inner) if inner else [entry]) if isinstance(entry, dict) else ()
            types |= {str(row.get("instance_type") or "") for row in rows or () if isinstance(row, dict)}
    types.discard("")
    return _only(types) if types else _template_type(templates.of(change, side), side)


def _only(types: set[str]) -> str:
    return next(iter(types)) if len(types) == 1 else ""


def instance_type_of(group: Change, side: Side, templates: LaunchTemplates) -> str:
    """The EC2 instance type of a node group, from itself or its launch template; ``""`` when it is not known."""
    value = group.before if side == "before" else group.after
    own = value.get("instance_types")
    listed = own.raw()
    if isinstance(listed, list) and listed:
        return listed[0] if isinstance(listed[0], str) and not own.get(0).is_unknown else ""
    if value.get("launch_template").present:
        return _template_type(templates.of(group, side), side)
    # Neither given: EKS takes t3.medium (API reference of CreateNodegroup, seen 2026-11-30).
    return "" if value.get("capacity_type").raw() == BLOCK else "t3.medium"


def _template_type(template: Change | None, side: Side) -> str:
    if template is None:
        return ""
    return text_of((template.before if side == "before" else template.after).get("instance_type"))


def _scaling_type(change: Change, value: Value, side: Side, templates: LaunchTemplates) -> str:
    overrides = value.at("mixed_instances_policy", 0, "launch_template", 0, "override").raw()
    types = {o.get("instance_type") for o in overrides if isinstance(o, dict)} if isinstance(overrides, list) else set()
    types.discard(None)
    types.discard("")
    if len(types) == 1:
        only = types.pop()
        return only if isinstance(only, str) else ""
    return "" if types else _template_type(templates.of(change, side), side)


def _name(change: Change, deployment: Deployment | None) -> str:
    if name := pool_name(change.address, deployment):
        return name
    for side in (change.after, change.before):
        for key in ("node_group_name", "name"):
            if text := text_of(side.get(key)):
                return text
    return change.address


# -- HyperPod --------------------------------------------------------------------------------------------------


def _hyperpod(change: Change) -> Iterator[PoolCapacity]:
    try:
        before = _groups_of(change, "before")
    except UndecidableError:
        if _holds_cluster(change):
            yield _unreadable(change)
        return
    after: Mapping[tuple[str, str], Nodes] | None
    try:
        after, gone = _groups_of(change, "after"), _replaced(change)
        note = "replaced: none while the new cluster is made" if gone is True and after else ""
    except UndecidableError:
        if not before and not _holds_cluster(change, "after"):
            return
        after, note, gone = None, "the template is not known before apply", False
    if change.action is Action.FORGET:
        after, note = before, "no longer managed; it keeps running"
    if after is None and not before:
        yield _unreadable(change)
        return
    keys = sorted({*before, *(after or {})})
    several = len({cluster for cluster, _ in keys}) > 1
    for key in keys:
        new = Nodes(before[key].instance_type, None) if after is None else after.get(key)
        found = pool(".".join(key) if several else key[1], change, before.get(key), new, note, gone)
        if found:
            yield found


def _groups_of(change: Change, side: Side) -> Mapping[tuple[str, str], Nodes]:
    """Groups by cluster (logical id) and name."""
    found: dict[tuple[str, str], Nodes] = {}
    for cluster, (path, properties) in _clusters(change, side).items():
        for name, group in groups(properties, path):
            instance_type: Any = group.get("InstanceType")
            found[cluster, name] = Nodes(instance_type if isinstance(instance_type, str) else "", count_of(group))
    return found


def _clusters(change: Change, side: Side) -> Mapping[str, tuple[str, Mapping[str, Any]]]:
    """(path, properties as CloudFormation names them) of the HyperPod clusters that a resource holds, by name."""
    value = change.before if side == "before" else change.after
    if change.type == STACK:
        return {name: (properties_path(name), found) for name, found in clusters(change, side).items()}
    if value.is_null:
        return {}
    if change.type == AWSCC_CLUSTER:
        return {"": ("", _as_template(value))}
    if text_of(value.get("type_name")) != CLUSTER:
        return {}
    state = json_of(value.get("desired_state"))
    if not isinstance(state, dict):
        raise OpaqueError("desired_state", "is no JSON object")
    return {"": ("desired_state", state)}


def _as_template(value: Value) -> Mapping[str, Any]:
    """The groups of an awscc cluster under the names that CloudFormation gives them."""
    found: dict[str, Any] = {}
    for key, block in (
        ("InstanceGroups", "instance_groups"),
        ("RestrictedInstanceGroups", "restricted_instance_groups"),
    ):
        listed = value.get(block).tree()
        if isinstance(listed, list):
            listed = [
                {new: group.get(old) for new, old in _AWSCC_NAMES} if isinstance(group, dict) else group
                for group in listed
            ]
        if listed is not None:
            found[key] = listed
    return found


_AWSCC_NAMES: Final = (
    ("InstanceGroupName", "instance_group_name"),
    ("InstanceType", "instance_type"),
    ("InstanceCount", "instance_count"),
)


def _holds_cluster(change: Change, side: Side = "before") -> bool:
    if change.type == STACK:
        return holds_cluster(change, side)
    value = change.before if side == "before" else change.after
    return not value.is_null and (change.type == AWSCC_CLUSTER or value.get("type_name").raw() == CLUSTER)


def _replaced(change: Change) -> State:
    if change.action in (Action.REPLACE, Action.DELETE):
        return True
    if change.action is not Action.UPDATE or change.type != STACK:
        return False
    return any_of((after for _, _, after in create_only_changes(change)), lambda _: True)


def _unreadable(change: Change) -> PoolCapacity:
    return PoolCapacity(
        change.address,
        change.address,
        "unknown",
        None,
        None,
        None,
        "what this HyperPod cluster is made of cannot be read",
    )


# -- for the rules ---------------------------------------------------------------------------------------------


def pool_of(group: Change, context: Context) -> PoolCapacity | None:
    """The pool that a node group or autoscaling group is; nothing when it has no accelerators.

    Read from the change itself: a deposed object has the address of the one that took its place.
    """
    return _group(group, context.launch_templates, context.deployment)


def pools_of(change: Change, context: Context) -> tuple[PoolCapacity, ...]:
    """The pools of a group or an endpoint, as ``pool_of``; those of an endpoint whose type is known."""
    if change.type != ENDPOINT:
        return tuple(filter(None, (pool_of(change, context),)))
    found = endpoint_pools(change, context.plan, context.configuration)
    return tuple(pool for pool in found if pool.instance_type != "unknown")


def running(group: Change) -> int | None:
    """Instances of a group that run now, as the state has it; ``None`` when it does not say."""
    if group.type == ENDPOINT:
        return None
    if group.type in _SINGLE:
        return 1
    if group.type in _SIZE:
        return whole(group.before.at(*_SIZE[group.type]))
    return whole(group.before.at("scaling_config", 0, "desired_size"))


def field_of(pool: PoolCapacity, plan: Plan) -> str:
    """The attribute path that gives the size of a pool."""
    change = _change_of(pool, plan)
    return "" if change is None else _FIELD.get(change.type) or size_of(change, "after").path


def size_of(group: Change, side: Side) -> Value:
    """The number of instances of a group: the maximum of a Capacity Block, else what is desired.

    A single instance has no number: its type.
    """
    value = group.before if side == "before" else group.after
    if group.type in _SIZE:
        return value.at(*_SIZE[group.type])
    return value.at("scaling_config", 0, "max_size" if value.get("capacity_type").raw() == BLOCK else "desired_size")


def _maximum(group: Change, value: Value) -> Value:
    return value.get("max_size") if group.type == SCALING_GROUP else value.at("scaling_config", 0, "max_size")


def keeps_its_size(pool: PoolCapacity, plan: Plan) -> bool:
    """Whether a pool of a type without a figure has at least as many instances of it as before."""
    change = _change_of(pool, plan)
    if change is None or change.type in _FIELD:
        return change is not None and change.action is Action.NO_OP
    before, after = _count(change, "before"), _count(change, "after")
    return "→" not in pool.instance_type and before is not None and after is not None and after >= before


def _change_of(pool: PoolCapacity, plan: Plan) -> Change | None:
    wanted = (pool.address, pool.deposed)
    return next((change for change in plan.of_type(*POOLS) if (change.address, change.deposed) == wanted), None)
