"""HW-SRV-026: another number of EFA interfaces than the node has."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.registry import Surroundings, pod_rule
from hawser.policy.manifests.workloads import EFA, Pod
from hawser.policy.registry import Hit, RuleMeta


@pod_rule(
    RuleMeta(
        id="HW-SRV-026",
        title="A replica of several nodes has every EFA interface of its node, and huge pages.",
        area="nodes",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="Without them NCCL talks over sockets: everything works, some ten times slower.",
        fix="Write vpc.amazonaws.com/efa as many as the node has, hugepages-2Mi, and the same in requests and limits.",
    )
)
def efa(pod: Pod, around: Surroundings) -> Iterator[Hit]:
    """Another number of EFA interfaces than the node has."""
    instance = around.instance(pod)
    several = pod.manifest.kind == "LeaderWorkerSet"
    for one in pod.servers:
        has = one.resource("limits", EFA) or one.resource("requests", EFA)
        path = f"{one.path}.resources"
        if has is not None and instance is not None and int(has) != instance.efa:
            yield Hit(
                path=path,
                message=f"It asks for {int(has)} EFA interfaces; a {instance.name} has {instance.efa}.",
                after=f'Write vpc.amazonaws.com/efa: "{instance.efa}".',
            )
        if several and has is None:
            number = str(instance.efa) if instance else "<as many as the node has>"
            yield Hit(
                path=path,
                message="The replica spans nodes without EFA: NCCL falls back to sockets.",
                after=f'Write vpc.amazonaws.com/efa: "{number}".',
            )
        if several and one.resource("limits", "hugepages-2Mi") is None:
            yield Hit(
                path=path,
                message="The replica spans nodes without huge pages, which the EFA libraries map.",
                after="Write hugepages-2Mi: 10256Mi.",
            )
