"""HW-SRV-022: a share above 0.92."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.registry import Surroundings, pod_rule
from hawser.policy.manifests.workloads import Pod
from hawser.policy.registry import Hit, RuleMeta

#: B300 died from 56 requests on at 0.92 to 0.95, B200 at the first at 0.95 (InferenceX PR 2616 and PR 2404, 2026-08).
_MOST: Final = 0.92


@pod_rule(
    RuleMeta(
        id="HW-SRV-022",
        title="The engine leaves a margin of GPU memory.",
        area="engine",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=(),
        looks_at="planned state",
        why="Workspaces and graphs are outside of the engine's share: at 0.95 it dies at the first request, at 0.93"
        " under load.",
        fix="Write --gpu-memory-utilization 0.90.",
    )
)
def utilization(pod: Pod, around: Surroundings) -> Iterator[Hit]:
    """A share above 0.92."""
    for one in pod.servers:
        text = one.option("--gpu-memory-utilization") or ""
        try:
            share = float(text)
        except ValueError:
            continue
        if share > _MOST:
            instance = around.instance(pod)
            left = f", which leaves {(1 - share) * instance.gpu_mib / 1024:.1f} GiB of each GPU" if instance else ""
            yield Hit(
                path=f"{one.path}.args",
                message=f"--gpu-memory-utilization is {share:g}{left}.",
                after="Write --gpu-memory-utilization 0.90.",
            )
