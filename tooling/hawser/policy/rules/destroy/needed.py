"""HW-DEL-010: what nodes and pods need to run goes away, while the cluster stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hawser import facts
from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown
from hawser.policy.stateful import folded
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Action, Change

#: Type -> what stops without it, completing "… is destroyed: …". Names of hashicorp/aws 5.100.0.
_NEEDED: Final[Mapping[str, str]] = {
    "aws_acm_certificate": "what uses it has no certificate",
    "aws_eks_access_entry": "whoever it is for cannot enter the cluster",
    "aws_eks_access_policy_association": "whoever it is for loses the rights in the cluster",
    "aws_eks_addon": "what it runs in the cluster stops",
    "aws_eks_fargate_profile": "its pods have nowhere to run",
    "aws_fsx_data_repository_association": "the file system no longer reads from S3",
    "aws_internet_gateway": "the network has no way to the internet",
    "aws_nat_gateway": "private nodes have no way out: no images, no AWS",
    "aws_route": "packets for that range go nowhere",
    "aws_route_table": "its subnets lose their routes",
    "aws_route_table_association": "the subnet loses its routes",
    "aws_subnet": "nothing can start in it",
    "aws_vpc": "the network with everything in it",
    "aws_vpc_endpoint": "nodes reach the service only over the internet, or not at all",
    "aws_wafv2_web_acl_association": "requests are no longer filtered",
}
_GROUP: Final = "aws_eks_node_group"


@change_rule(
    RuleMeta(
        id="HW-DEL-010",
        title="Networks, add-ons, access and nodes that a running cluster needs stay.",
        area="destroy",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=(*sorted(_NEEDED), _GROUP),
        looks_at="change",
        why="No data is lost, but serving stops: nodes without a way out pull no image, and a cluster without DNS or"
        " CNI starts no pod.",
        fix="Put it back, or have somebody approve the outage; what replaces it is made and used in a plan before.",
    )
)
def needed(change: Change, context: Context) -> Iterator[Hit]:
    """A delete, unless everything goes; groups of nodes without accelerators, which HW-CAP-002 does not count."""
    if change.deposed is not None:
        return  # another object of the same address stays
    if change.type == _GROUP:
        yield from _nodes(change, context)
    elif change.action is Action.DELETE and not folded(context):
        yield Hit(path="", message=f"{change.type} is destroyed: {_NEEDED[change.type]}.")


def _nodes(change: Change, context: Context) -> Iterator[Hit]:
    before = change.before
    types = before.get("instance_types").raw() or []
    scaling = before.at("scaling_config", 0)
    had = scaling.get("desired_size").raw()
    if any(type_ in facts.instances() for type_ in types) or not types or not isinstance(had, int) or had == 0:
        return
    if change.action is Action.DELETE and not folded(context):
        yield Hit(
            path="", message=f"The node group is destroyed with its {had} nodes: their pods go elsewhere, or stop."
        )
    if change.action is Action.UPDATE:
        doubts = Doubts()
        for name in ("desired_size", "max_size"):
            value = change.after.at("scaling_config", 0, name)
            with doubts:
                if value.known() == 0:
                    message = f"The node group goes from {had} nodes to none."
                    yield Hit(path=value.path, message=message, before=str(had), after=shown(value))
                    break
        doubts.settle()
