"""HW-HYP-006: an instance group gets another role, start script, network, plan or kind of node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from hawser.policy.findings import Level, Severity
from hawser.policy.hyperpod import clusters, groups, is_readable_update, properties_path
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown_plain
from hawser.policy.templates import STACK
from hawser.terraform.plan import Change
from hawser.terraform.values import UndecidableError

#: Property of a group -> what it says of the nodes (resource schema of AWS::SageMaker::Cluster, cfn-lint 1.58.0,
#: 2026-10-20). Volumes and health checks are left out: they make a node no other one.
_OF_GROUP: Final[Mapping[str, str]] = {
    "CapacityRequirements": "whether nodes are spot",
    "ExecutionRole": "what nodes may do",
    "ImageId": "what nodes start with",
    "InstanceRequirements": "the kinds of nodes",
    "InstanceType": "the kind of node",
    "KubernetesConfig": "labels and taints of the nodes",
    "LifeCycleConfig": "what runs on nodes when they start",
    "OverrideVpcConfig": "the network of the nodes",
    "TrainingPlanArn": "the plan that pays for the nodes",
}
_OF_CLUSTER: Final[Mapping[str, str]] = {
    "AutoScaling": "what sizes groups by itself",
    "ClusterRole": "what the cluster may do",
    "NodeProvisioningMode": "how nodes are made",
    "NodeRecovery": "whether broken nodes are replaced",
}


@change_rule(
    RuleMeta(
        id="HW-HYP-006",
        title="Instance groups of a HyperPod cluster keep their role, start script, network, plan and kind of node.",
        area="hyperpod",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=(STACK,),
        looks_at="change",
        why="Under the same name it is another pool: nodes are replaced or run with other rights, and the plan shows a"
        " changed string.",
        fix="Give the new capacity a pool of its own in env.yaml, and take the old one out when nothing runs there.",
    )
)
def group_kept(change: Change, _: Context) -> Iterator[Hit]:
    """Groups are matched by name, clusters by logical id; one that is gone, new or smaller is another rule's."""
    if not is_readable_update(change):
        return
    after = clusters(change, "after")
    for cluster, old in clusters(change, "before").items():
        if cluster not in after:
            continue
        path = properties_path(cluster)
        yield from _differences(path, f"HyperPod cluster {cluster}", _OF_CLUSTER, old, after[cluster])
        with suppress(UndecidableError):  # names that cannot be read are HW-HYP-002's
            kept = dict(groups(after[cluster], path))
            for name, group in groups(old, path):
                if name in kept:
                    here = f"{path}.InstanceGroups.{name}"
                    yield from _differences(here, f"Instance group {name}", _OF_GROUP, group, kept[name])


def _differences(
    path: str, what: str, names: Mapping[str, str], before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[Hit]:
    for name, says in names.items():
        old, new = before.get(name), after.get(name)
        if old != new and (name != "NodeRecovery" or new == "None"):  # left out, it is Automatic
            yield Hit(
                path=f"{path}.{name}",
                message=f"{what} gets another {name}: {says}.",
                before=None if old is None else shown_plain(old),
                after=None if new is None else shown_plain(new),
            )
