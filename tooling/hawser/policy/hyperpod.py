"""HyperPod clusters inside CloudFormation stacks, before and after a change.

Terraform shows such a change as an update of one string; CloudFormation may replace the cluster inside it. Create-only
properties are those of the resource schema of ``AWS::SageMaker::Cluster`` (cfn-lint 1.58.0, 2026-10-20).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from hawser.policy.documents import CLUSTER, referred
from hawser.policy.launch_templates import Side
from hawser.policy.templates import resources
from hawser.policy.unknown import OpaqueError
from hawser.terraform.plan import Action, Change
from hawser.terraform.values import UNKNOWN, UndecidableError, Unknown, Value

#: Changing one of these makes CloudFormation create a new cluster and delete the old one.
CREATE_ONLY: Final = (("ClusterName",), ("VpcConfig",), ("Orchestrator", "Eks"))


def body_of(change: Change, side: Side) -> Value:
    """``template_body`` on one side of the plan."""
    return (change.before if side == "before" else change.after).get("template_body")


def clusters(change: Change, side: Side) -> Mapping[str, Mapping[str, Any]]:
    """Resolved properties of the HyperPod clusters of a stack, by logical id; none for a side that does not exist.

    Raises ``UndecidableError`` or ``OpaqueError`` when the template cannot be read.
    """
    found = tuple(resources(change, side))
    return {name: _properties(name, resource) for name, type_, resource in found if type_ == CLUSTER}


def _properties(name: str, resource: Any) -> Mapping[str, Any]:
    """Properties of a cluster. Raises ``OpaqueError`` when a condition or a macro hides them."""
    path = f"template_body.Resources.{name}"
    if isinstance(resource, Unknown):
        raise OpaqueError(f"{path}.Condition", "is a condition that the plan does not decide")
    properties = resource.get("Properties", {})
    if not isinstance(properties, dict) or any(key.startswith("Fn::") for key in properties):
        raise OpaqueError(properties_path(name), "is decided when CloudFormation deploys it")
    return properties


def holds_cluster(change: Change, side: Side = "before") -> bool:
    """Whether the stack holds a HyperPod cluster on one side; true also for unreadable text that names the type."""
    try:
        return bool(clusters(change, side))
    except UndecidableError:
        text = body_of(change, side).raw()
        return isinstance(text, str) and CLUSTER in text


def is_update_of_cluster(change: Change) -> bool:
    """Whether this changes a stack that already holds a cluster, in place."""
    return change.action is Action.UPDATE and holds_cluster(change)


def is_readable_update(change: Change) -> bool:
    """The same, and both templates can be read; HW-HYP-004 speaks for the others."""
    return is_update_of_cluster(change) and unreadable_side(change) is None


def unreadable_side(change: Change) -> tuple[Side, UndecidableError] | None:
    """The first side whose clusters cannot be read, and why."""
    sides: tuple[Side, ...] = ("before", "after")
    for side in sides:
        try:
            clusters(change, side)
        except UndecidableError as error:
            return side, error
    return None


def groups(properties: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(name, group) of the instance groups of a cluster; ``path`` leads to its properties.

    Raises ``UndecidableError`` for a list or a name that is not known, ``OpaqueError`` for one that cannot be read or
    a name that stands there twice.
    """
    seen: set[str] = set()
    for key in ("InstanceGroups", "RestrictedInstanceGroups"):
        listed = properties.get(key, [])
        if isinstance(listed, Unknown):
            raise UndecidableError(f"{path}.{key}")
        if not isinstance(listed, list):
            raise OpaqueError(f"{path}.{key}", "is not a plain list")
        for index, group in enumerate(listed):
            name = group.get("InstanceGroupName") if isinstance(group, dict) else UNKNOWN
            if not isinstance(name, str):
                raise OpaqueError(f"{path}.{key}[{index}].InstanceGroupName", "is not a plain name")
            if name in seen:
                raise OpaqueError(f"{path}.{key}[{index}].InstanceGroupName", f"is {name} for the second time")
            seen.add(name)
            # Under the same name in the other list it is another group: HyperPod deletes the one and makes the other.
            yield name if key == "InstanceGroups" else f"{name} (restricted)", group


def properties_path(logical_id: str) -> str:
    """The path to the properties of a resource in the template."""
    return f"template_body.Resources.{logical_id}.Properties"


def count_of(group: Mapping[str, Any]) -> int | None:
    """``InstanceCount`` of a group; ``None`` when it is not known."""
    count = group.get("InstanceCount")
    if isinstance(count, str) and count.isascii() and count.isdigit():
        return int(count)
    return count if isinstance(count, int) and not isinstance(count, bool) else None


def create_only_changes(change: Change) -> Iterator[tuple[str, Any, Any]]:
    """(path, before, after) of what makes CloudFormation replace or delete a cluster during an update.

    ``UNKNOWN`` as after means that it cannot be told: the value is unknown, or it is a reference to a resource of the
    template that changes itself. Raises like ``clusters``.
    """
    after = clusters(change, "after")
    moving = _moving(change)
    for name, old in clusters(change, "before").items():
        path = f"template_body.Resources.{name}"
        if name not in after:
            yield path, f"{CLUSTER} {name}", None
            continue
        for keys in CREATE_ONLY:
            left, right = _at(old, keys), _at(after[name], keys)
            here = f"{path}.Properties.{'.'.join(keys)}"
            if _holds_unknown(left) or _holds_unknown(right):
                yield here, left, UNKNOWN
            elif _plain(left) != _plain(right):
                yield here, left, right
            elif not moving.isdisjoint(referred(right)):
                yield here, left, UNKNOWN


def _moving(change: Change) -> frozenset[str]:
    """Logical ids of a stack whose own definition changes, or refers to one that does."""
    before = {name: resource for name, _, resource in resources(change, "before")}
    after = {name: resource for name, _, resource in resources(change, "after")}
    moving = {name for name in {*before, *after} if before.get(name) != after.get(name) or _holds_unknown(after[name])}
    while more := {name for name in after if name not in moving and not moving.isdisjoint(referred(after[name]))}:
        moving |= more
    return frozenset(moving)


def _at(node: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        if isinstance(node, Unknown):
            return UNKNOWN
        node = node.get(key) if isinstance(node, dict) else None
    return node


def _holds_unknown(node: Any) -> bool:
    if isinstance(node, Unknown):
        return True
    if isinstance(node, dict):
        return any(_holds_unknown(child) for child in node.values())
    return isinstance(node, list) and any(_holds_unknown(child) for child in node)


def _plain(node: Any) -> Any:
    """For comparing: lists of strings are sets (security groups, subnets)."""
    if isinstance(node, dict):
        return {key: _plain(child) for key, child in node.items()}
    if isinstance(node, list):
        children = [_plain(child) for child in node]
        return sorted(children) if all(isinstance(child, str) for child in children) else children
    return node
