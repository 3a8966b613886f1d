"""HW-SRV-002: GPUs that are only requested, and another number than the parallel sizes."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.registry import Surroundings, pod_rule
from hawser.policy.manifests.workloads import GPU, Container, Pod, table
from hawser.policy.registry import Hit, RuleMeta


@pod_rule(
    RuleMeta(
        id="HW-SRV-002",
        title="GPUs stand in the limits, and are as many as the engine's parallel sizes use.",
        area="nodes",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="Kubernetes refuses a request for GPUs without a limit; and an engine with more ranks than GPUs does not"
        " start, after the weights were fetched.",
        fix="Write the same number of nvidia.com/gpu as request and limit.",
    )
)
def gpu_limits(pod: Pod, _: Surroundings) -> Iterator[Hit]:
    """GPUs that are only requested, and another number than the parallel sizes."""
    for one in pod.servers:
        limit, request = one.resource("limits", GPU), one.resource("requests", GPU)
        path = f"{one.path}.resources"
        if limit is None or (request is not None and request != limit):
            wanted = int(request or limit or 0)
            yield Hit(
                path=path,
                message="GPUs are requested without the same limit: the API server refuses the pod.",
                after=f'Write limits: {{nvidia.com/gpu: "{wanted}"}}.',
            )
        ranks = _ranks(one)
        gpus = one.gpus
        nodes = _nodes(pod)
        if ranks and gpus and ranks != gpus * nodes:
            yield Hit(
                path=path,
                message=f"The engine's parallel sizes make {ranks} ranks, but the pod has {gpus} GPUs.",
                after=f"Make the product of the parallel sizes {gpus * nodes}, or give {ranks} GPUs.",
            )


def _ranks(one: Container) -> int:
    sizes = (("--tensor-parallel-size", "-tp"), ("--pipeline-parallel-size", "-pp"), ("--data-parallel-size", "-dp"))
    found = 1
    for names in sizes:
        text = one.option(*names) or "1"
        if not text.isdigit():
            return 0
        found *= int(text)
    return found if one.has(*sizes[0], *sizes[1], *sizes[2]) else 0


def _nodes(pod: Pod) -> int:
    size = table(table(pod.manifest.data.get("spec")).get("leaderWorkerTemplate")).get("size", 1)
    return size if isinstance(size, int) else 1
