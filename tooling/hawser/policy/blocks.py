"""Which launch templates and node groups belong to EC2 Capacity Blocks."""

from __future__ import annotations

from typing import Final

from hawser.policy.capacity import BLOCK
from hawser.policy.registry import Context
from hawser.terraform.plan import Change
from hawser.terraform.values import Value

#: ``market_type`` of a launch template for Capacity Blocks, and ``capacity_type`` of the EKS node group that uses it.
MARKET: Final = "capacity-block"


def market_type(template: Change) -> Value:
    """``instance_market_options[0].market_type`` after the apply."""
    return template.after.at("instance_market_options", 0, "market_type")


def is_block_group(group: Change) -> bool:
    """An EKS node group of capacity type CAPACITY_BLOCK."""
    return bool(group.after.get("capacity_type").raw() == BLOCK)


def is_block_template(template: Change, context: Context) -> bool:
    """A launch template with that market type, or used by such a node group."""
    users = context.launch_templates.users.get(template.address, ())
    return market_type(template).raw() == MARKET or any(is_block_group(group) for group in users)


def block_pool_address(template: Change, context: Context) -> str:
    """The address whose keys name the pool: the template's own, or that of a group that uses it."""
    users = context.launch_templates.users.get(template.address, ())
    return users[0].address if users and "[" not in template.address else template.address
