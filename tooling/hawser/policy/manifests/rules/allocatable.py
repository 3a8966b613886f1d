"""HW-SRV-003: requests above what pods of the node can have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hawser import facts
from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.registry import Surroundings, pod_rule
from hawser.policy.manifests.workloads import Pod
from hawser.policy.registry import Hit, RuleMeta

_MIB: Final = 2**20
_GIB: Final = 2**30


@pod_rule(
    RuleMeta(
        id="HW-SRV-003",
        title="A pod asks for no more than its node can give.",
        area="nodes",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="The pod stays Pending for ever, and the node that is paid for stays empty.",
        fix="Ask for less than the node's allocatable CPU and memory: about nine tenths leaves room for daemons.",
    )
)
def allocatable(pod: Pod, around: Surroundings) -> Iterator[Hit]:
    """Requests above what pods of the node can have."""
    instance = around.instance(pod)
    if instance is None:
        return
    most_cpu, most_memory = facts.kubelet().cpu_m(instance.vcpu) / 1000, facts.kubelet().memory_mib(instance.ram_gib)
    for one in pod.containers:
        cpu = one.resource("requests", "cpu") or one.resource("limits", "cpu")
        if cpu is not None and cpu > most_cpu:
            yield Hit(
                path=f"{one.path}.resources",
                message=f"It asks for {cpu:g} CPUs; pods of a {instance.name} can have {most_cpu:g}.",
                after=f'Write cpu: "{int(most_cpu * 0.9)}" (nine tenths of {most_cpu:g}).',
            )
        memory = one.resource("requests", "memory") or one.resource("limits", "memory")
        if memory is not None and memory > most_memory * _MIB:
            yield Hit(
                path=f"{one.path}.resources",
                message=f"It asks for {memory / _GIB:,.0f} GiB of memory; pods of a {instance.name} can have"
                f" {most_memory / 1024:,.0f}.",
                after=f"Write memory: {int(most_memory * 0.9 / 1024)}Gi (nine tenths of {most_memory / 1024:,.0f}).",
            )
        if one.gpus > instance.gpus:
            yield Hit(
                path=f"{one.path}.resources",
                message=f"It asks for {one.gpus} GPUs; a {instance.name} has {instance.gpus}.",
                after=f'Write nvidia.com/gpu: "{instance.gpus}" and spread the replica over nodes.',
            )
