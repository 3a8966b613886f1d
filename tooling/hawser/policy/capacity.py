"""Accelerators before, during and after an apply, pool by pool.

EKS node groups, autoscaling groups and HyperPod instance groups are counted: instances × accelerators of the type. A
Capacity Block pool counts by its schedule (its maximum), because its desired size is 0 whenever the block has not
begun. During the apply a replaced or deleted pool has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hawser.contract.deployment import Deployment
from hawser.facts import instances
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
from hawser.policy.registry import Context
from hawser.policy.shown import pool_name
from hawser.policy.templates import STACK
from hawser.policy.unknown import State, any_of
from hawser.terraform.configuration import Configuration
from hawser.terraform.plan import Action, Change, Plan
from hawser.terraform.values import UNKNOWN, UndecidableError, Value

NODE_GROUP: Final = "aws_eks_node_group"
SCALING_GROUP: Final = "aws_autoscaling_group"
BLOCK: Final = "CAPACITY_BLOCK"

GROUPS: Final = (NODE_GROUP, SCALING_GROUP)
POOLS: Final = (NODE_GROUP, SCALING_GROUP, STACK)

#: Families of EC2 whose instances have accelerators: p, g, gr, trn, inf, dl, vt, f and a generation number.
_ACCELERATED: Final = re.compile(r"(?:p|g|gr|trn|inf|dl|vt|f)\d")


def capacity(
    plan: Plan, deployment: Deployment | None, templates: LaunchTemplates | None = None
) -> tuple[PoolCapacity, ...]:
    """Pools with accelerators, sorted by address and name."""
    templates = templates or LaunchTemplates(plan, Configuration(plan.document.get("configuration")))
    found = [
        pool
        for change in plan.of_type(NODE_GROUP, SCALING_GROUP)
        if change.mode == "managed" and (pool := _group(change, templates, deployment))
    ]
    for change in plan.of_type(STACK):
        if change.mode == "managed":
            found.extend(_hyperpod(change))
    return tuple(sorted(found, key=lambda pool: (pool.address, pool.pool)))


def accelerators(instance_type: str) -> int | None:
    """Accelerators of one instance (EC2 name or ``ml.`` name); ``None`` for an accelerated type without a figure."""
    name = instance_type.removeprefix("ml.")
    if known := instances().get(name):
        return known.gpus
    return None if _ACCELERATED.match(name) else 0


@dataclass(frozen=True, slots=True)
class _Nodes:
    """One side of a pool: instance type ("" when unknown) and number of instances (``None`` when unknown)."""

    instance_type: str
    count: int | None

    @property
    def accelerators(self) -> int | None:
        if self.count == 0:
            return 0
        each = accelerators(self.instance_type) if self.instance_type else None
        return None if each is None or self.count is None else each * self.count

    @property
    def none_at_all(self) -> bool:
        """An instance type that has no accelerators."""
        return bool(self.instance_type) and accelerators(self.instance_type) == 0


def _pool(
    name: str, change: Change, before: _Nodes | None, after: _Nodes | None, note: str, gone: State
) -> PoolCapacity | None:
    sides = [side for side in (before, after) if side is not None]
    if not sides or all(side.none_at_all for side in sides):
        return None
    old = before.accelerators if before else 0
    new = after.accelerators if after else 0
    if gone is True or before is None or after is None:
        during: int | None = 0
    else:
        during = None if gone is UNKNOWN or old is None or new is None else min(old, new)
    types = dict.fromkeys(side.instance_type for side in sides if side.instance_type)
    return PoolCapacity(name, change.address, " → ".join(types) or "unknown", old, during, new, note, change.deposed)


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
    return _pool(_name(change, deployment), change, before, after, note, gone)


def _is_block(change: Change) -> bool:
    return any(side.get("capacity_type").raw() == BLOCK for side in (change.before, change.after))


def _nodes(change: Change, side: Side, templates: LaunchTemplates) -> _Nodes:
    value = change.before if side == "before" else change.after
    count = _number(size_of(change, side))
    most = _number(_maximum(change, value))
    if count is not None and most is not None:
        count = min(count, most)  # a maximum below the desired size lowers it
    if change.type == SCALING_GROUP:
        return _Nodes(_scaling_type(change, value, side, templates), count)
    return _Nodes(instance_type_of(change, side, templates), count)


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
    value = (template.before if side == "before" else template.after).get("instance_type")
    text = value.raw()
    return text if isinstance(text, str) and not value.is_unknown else ""


def _scaling_type(change: Change, value: Value, side: Side, templates: LaunchTemplates) -> str:
    overrides = value.at("mixed_instances_policy", 0, "launch_template", 0, "override").raw()
    types = {o.get("instance_type") for o in overrides if isinstance(o, dict)} if isinstance(overrides, list) else set()
    types.discard(None)
    types.discard("")
    if len(types) == 1:
        only = types.pop()
        return only if isinstance(only, str) else ""
    return "" if types else _template_type(templates.of(change, side), side)


def _number(value: Value) -> int | None:
    number = value.raw()
    if value.is_unknown or isinstance(number, bool) or not isinstance(number, int):
        return None
    return number


def _name(change: Change, deployment: Deployment | None) -> str:
    if name := pool_name(change.address, deployment):
        return name
    for side in (change.after, change.before):
        for key in ("node_group_name", "name"):
            value = side.get(key)
            text = value.raw()
            if isinstance(text, str) and text and not value.is_unknown:
                return text
    return change.address


# -- HyperPod --------------------------------------------------------------------------------------------------


def _hyperpod(change: Change) -> Iterator[PoolCapacity]:
    try:
        before = _groups_of(change, "before")
    except UndecidableError:
        if holds_cluster(change):
            yield _unreadable(change)
        return
    after: Mapping[tuple[str, str], _Nodes] | None
    try:
        after, gone = _groups_of(change, "after"), _replaced(change)
        note = "replaced: none while the new cluster is made" if gone is True and after else ""
    except UndecidableError:
        if not before and not holds_cluster(change, "after"):
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
        new = _Nodes(before[key].instance_type, None) if after is None else after.get(key)
        pool = _pool(".".join(key) if several else key[1], change, before.get(key), new, note, gone)
        if pool:
            yield pool


def _groups_of(change: Change, side: Side) -> Mapping[tuple[str, str], _Nodes]:
    """Groups by cluster (logical id) and name."""
    found: dict[tuple[str, str], _Nodes] = {}
    for cluster, properties in clusters(change, side).items():
        for name, group in groups(properties, properties_path(cluster)):
            instance_type: Any = group.get("InstanceType")
            found[cluster, name] = _Nodes(instance_type if isinstance(instance_type, str) else "", count_of(group))
    return found


def _replaced(change: Change) -> State:
    if change.action in (Action.REPLACE, Action.DELETE):
        return True
    if change.action is not Action.UPDATE:
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
        "the template of this HyperPod stack cannot be read",
    )


# -- for the rules ---------------------------------------------------------------------------------------------


def pool_of(group: Change, context: Context) -> PoolCapacity | None:
    """The pool that a node group or autoscaling group is; nothing when it has no accelerators.

    Read from the change itself: a deposed object has the address of the one that took its place.
    """
    return _group(group, context.launch_templates, context.deployment)


def running(group: Change) -> int | None:
    """Instances of a group that run now, as the state has it; ``None`` when it does not say."""
    if group.type == SCALING_GROUP:
        return _number(group.before.get("desired_capacity"))
    return _number(group.before.at("scaling_config", 0, "desired_size"))


def field_of(pool: PoolCapacity, plan: Plan) -> str:
    """The attribute path that gives the size of a pool."""
    change = _change_of(pool, plan)
    return "template_body" if change is None or change.type == STACK else size_of(change, "after").path


def size_of(group: Change, side: Side) -> Value:
    """The number of instances of a group: the maximum of a Capacity Block, else what is desired."""
    value = group.before if side == "before" else group.after
    if group.type == SCALING_GROUP:
        return value.get("desired_capacity")
    return value.at("scaling_config", 0, "max_size" if value.get("capacity_type").raw() == BLOCK else "desired_size")


def _maximum(group: Change, value: Value) -> Value:
    return value.get("max_size") if group.type == SCALING_GROUP else value.at("scaling_config", 0, "max_size")


def keeps_its_size(pool: PoolCapacity, plan: Plan) -> bool:
    """Whether a pool of a type without a figure has at least as many instances of it as before."""
    change = _change_of(pool, plan)
    if change is None or change.type == STACK:
        return change is not None and change.action is Action.NO_OP
    before, after = _number(size_of(change, "before")), _number(size_of(change, "after"))
    return "→" not in pool.instance_type and before is not None and after is not None and after >= before


def _change_of(pool: PoolCapacity, plan: Plan) -> Change | None:
    wanted = (pool.address, pool.deposed)
    return next((change for change in plan.of_type(*POOLS) if (change.address, change.deposed) == wanted), None)
