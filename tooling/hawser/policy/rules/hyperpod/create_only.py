"""HW-HYP-001: an update of a stack makes CloudFormation replace the cluster."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.hyperpod import create_only_changes, is_readable_update
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown_plain
from hawser.policy.templates import STACK
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Change
from hawser.terraform.values import Unknown

_CONTRACT = {"ClusterName": "cluster.name", "VpcConfig": "network", "Eks": "cluster.name"}


@change_rule(
    RuleMeta(
        id="HW-HYP-001",
        title="An update of a HyperPod stack leaves ClusterName, VpcConfig and Orchestrator.Eks as they are.",
        area="hyperpod",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=(STACK,),
        looks_at="change",
        why="These properties are create-only: CloudFormation makes a new cluster and deletes the old one with all its"
        " nodes, while Terraform shows an ordinary update.",
        fix="Take back the change of cluster or network in env.yaml. Another network for some nodes is a new pool in"
        " another zone, not another VpcConfig.",
        references=(
            "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-sagemaker-cluster.html",
        ),
    )
)
def create_only(change: Change, _: Context) -> Iterator[Hit]:
    """Compares each cluster of the template before and after, with ``Ref`` to parameters resolved."""
    if not is_readable_update(change):
        return
    doubts = Doubts()
    hidden = any(side.get("parameters").is_sensitive for side in (change.before, change.after))
    for path, before, after in create_only_changes(change):
        if isinstance(after, Unknown):
            doubts.add(path)
            continue
        name = path.rsplit(".", 1)[-1]
        gone = name not in _CONTRACT
        yield Hit(
            path=path,
            message=f"HyperPod cluster {name} is gone from the template: CloudFormation deletes it with all its nodes."
            if gone
            else f"{name} of the HyperPod cluster changes: CloudFormation replaces the cluster, although the plan shows"
            " an update.",
            before=None if gone or hidden else shown_plain(before),
            after=None if gone or hidden else shown_plain(after),
            contract_path=_CONTRACT.get(name),
        )
    doubts.settle()
