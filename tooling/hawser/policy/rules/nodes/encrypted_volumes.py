"""HW-NOD-001: the disks of GPU nodes are not encrypted."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.pool import accelerators
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Change
from hawser.terraform.values import Value


@change_rule(
    RuleMeta(
        id="HW-NOD-001",
        title="GPU launch templates encrypt every EBS volume, the root volume too.",
        area="nodes",
        severity=Severity.MEDIUM,
        level=Level.APPROVAL,
        resource_types=("aws_launch_template",),
        looks_at="planned state",
        why="Prompts, answers and cached weights land on the node's disk and stay readable in its snapshots.",
        fix="Use hawser's node group module, which encrypts; in other code set ebs.encrypted for every device and"
        " name the root device.",
    )
)
def encrypted_volumes(change: Change, _: Context) -> Iterator[Hit]:
    """A template without device mappings leaves the root volume to the image, which encrypts nothing."""
    if not _has_accelerators(change):
        return
    doubts = Doubts()
    volumes = 0
    with doubts:
        for mapping in change.after.get("block_device_mappings").elements():
            if _given(mapping.get("no_device")) or _given(mapping.get("virtual_name")):
                continue
            volumes += 1
            encrypted = mapping.at("ebs", 0, "encrypted")
            with doubts:
                if str(encrypted.known()).lower() != "true":
                    yield Hit(path=encrypted.path, message=f"The volume {_device(mapping)} is not encrypted.")
        if volumes == 0:
            yield Hit(path="block_device_mappings", message="No volume is named, so the root volume is not encrypted.")
    doubts.settle()


def _has_accelerators(change: Change) -> bool:
    value = change.after.get("instance_type")
    name = value.raw()
    return isinstance(name, str) and not value.is_unknown and accelerators(name) != 0


def _given(value: Value) -> bool:
    return value.raw() not in (None, "", "false")


def _device(mapping: Value) -> str:
    name = mapping.get("device_name").raw()
    return name if isinstance(name, str) else "without a name"
