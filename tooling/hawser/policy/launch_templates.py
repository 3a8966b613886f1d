"""Which launch template a node group or autoscaling group uses: by id, by name, or by reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, Literal

from hawser.policy.shown import keys_of
from hawser.terraform.configuration import Configuration, module_path
from hawser.terraform.plan import Change, Plan
from hawser.terraform.values import Value

Side = Literal["before", "after"]

TEMPLATE: Final = "aws_launch_template"


class LaunchTemplates:
    """The launch templates of a plan."""

    def __init__(self, plan: Plan, configuration: Configuration) -> None:
        """Indexes are made when they are first asked for."""
        self._changes = plan.by_type.get(TEMPLATE, ())
        self._groups = (*plan.by_type.get("aws_eks_node_group", ()), *plan.by_type.get("aws_autoscaling_group", ()))
        self.configuration = configuration

    @cached_property
    def _by_name(self) -> Mapping[tuple[str, str], Change]:
        found: dict[tuple[str, str], Change] = {}
        for change in self._changes:
            for side in (change.before, change.after):
                for key in ("id", "name"):
                    value = side.get(key).raw()
                    if isinstance(value, str) and value and not side.get(key).is_unknown:
                        found.setdefault((key, value), change)
        return found

    @cached_property
    def _by_target(self) -> Mapping[tuple[str, str], Sequence[Change]]:
        found: dict[tuple[str, str], list[Change]] = {}
        for change in self._changes:
            found.setdefault((module_path(change.module_address), f"{change.type}.{change.name}"), []).append(change)
        return found

    def of(self, group: Change, side: Side) -> Change | None:
        """The launch template that ``group`` uses on one side of the plan; ``None`` when it is not in the plan."""
        block, keys = launch_template_block(group, side)
        for key, own in (
            ("id", "id"),
            ("launch_template_id", "id"),
            ("name", "name"),
            ("launch_template_name", "name"),
        ):
            value = block.get(key)
            text = value.raw()
            if isinstance(text, str) and not value.is_unknown and (found := self._by_name.get((own, text))):
                return found
        if side == "before":
            return None
        targets = {
            target
            for key in ("id", "name", "launch_template_id", "launch_template_name")
            for target in self.configuration.targets(group, *keys, key)
            if target[1].startswith(f"{TEMPLATE}.")
        }
        return _nearest(group, [change for target in sorted(targets) for change in self._by_target.get(target, ())])

    @cached_property
    def users(self) -> Mapping[str, tuple[Change, ...]]:
        """Groups by the address of the launch template that they will use."""
        found: dict[str, list[Change]] = {}
        for group in self._groups:
            template = self.of(group, "after") if group.planned else None
            if template is not None:
                found.setdefault(template.address, []).append(group)
        return {address: tuple(groups) for address, groups in found.items()}


def launch_template_block(group: Change, side: Side) -> tuple[Value, tuple[str | int, ...]]:
    """The block of a group that names its launch template, and the path to it in the configuration."""
    value = group.before if side == "before" else group.after
    if value.get("launch_template").at(0).raw() is None and group.type == "aws_autoscaling_group":
        keys = ("mixed_instances_policy", 0, "launch_template", 0, "launch_template_specification", 0)
        return value.at(*keys), keys
    if group.type in ("aws_ec2_fleet", "aws_spot_fleet_request"):
        fleet = ("launch_template_config", 0, "launch_template_specification", 0)
        return value.at(*fleet), fleet
    return value.at("launch_template", 0), ("launch_template", 0)


def _nearest(group: Change, candidates: Sequence[Change]) -> Change | None:
    """The one candidate that belongs to ``group``: same module instance, then same key."""
    narrowed = [c for c in candidates if c.planned]
    for same in (
        lambda c: c.module_address == group.module_address,
        lambda c: c.index == group.index,
        lambda c: keys_of(c.address) == keys_of(group.address),
    ):
        if len(narrowed) <= 1:
            break
        narrowed = [c for c in narrowed if same(c)] or narrowed
    return narrowed[0] if len(narrowed) == 1 else None
