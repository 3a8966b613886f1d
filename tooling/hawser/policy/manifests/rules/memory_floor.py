"""HW-SRV-004: a limit below the part of the checkpoint that passes through the host."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.registry import Surroundings, pod_rule
from hawser.policy.manifests.workloads import Pod
from hawser.policy.registry import Hit, RuleMeta

_GIB: Final = 2**30
#: Part of the checkpoint that loaders of a replica hold at a time: about 190 GiB for each of eight ranks were seen on
#: one engine, 500 GiB on another (TensorRT-LLM PR 17999, run-ai/runai-model-streamer issue 76); six tenths lie between.
_PART: Final = 0.6


@pod_rule(
    RuleMeta(
        id="HW-SRV-004",
        title="A model server has host memory for what its ranks hold while they load.",
        area="nodes",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="Loaders keep shards in the host's memory, for each rank: the pod is killed without a word at a tenth of"
        " the load, and starts again.",
        fix="Give the pod nearly all memory of its node; nothing else runs there.",
    )
)
def memory_floor(pod: Pod, around: Surroundings) -> Iterator[Hit]:
    """A limit below the part of the checkpoint that passes through the host."""
    model = around.model(pod)
    for one in pod.servers:
        limit = one.resource("limits", "memory") or one.resource("requests", "memory")
        floor = model.size_bytes * _PART if model else None
        if limit is not None and floor is not None and limit < floor and not pod.of_operator:
            yield Hit(
                path=f"{one.path}.resources",
                message=f"The limit is {limit / _GIB:,.0f} GiB; {model.id if model else ''} holds up to"
                f" {floor / _GIB:,.0f} GiB in the host's memory while it loads.",
                after=f"Write memory: {int(floor / _GIB) + 1}Gi or more.",
            )
