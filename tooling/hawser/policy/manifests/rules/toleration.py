"""HW-SRV-005: no toleration for nvidia.com/gpu; the operator of HyperPod sets its own."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.registry import Surroundings, pod_rule
from hawser.policy.manifests.workloads import GPU, Pod, items, table
from hawser.policy.registry import Hit, RuleMeta


@pod_rule(
    RuleMeta(
        id="HW-SRV-005",
        title="A pod with GPUs tolerates the taint of GPU nodes.",
        area="nodes",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="GPU node groups are tainted so that nothing else lands there; without the toleration the pod stays"
        " Pending.",
        fix="Add the toleration nvidia.com/gpu, Exists (or =true), NoSchedule.",
    )
)
def toleration(pod: Pod, _: Surroundings) -> Iterator[Hit]:
    """No toleration for nvidia.com/gpu; the operator of HyperPod sets its own."""
    if pod.of_operator:
        return
    for one in map(table, items(pod.spec.get("tolerations"))):
        if one.get("key") in (GPU, None, "") and one.get("effect") in ("NoSchedule", None, ""):
            return
    yield Hit(
        path=f"{pod.path}.tolerations",
        message="The pod does not tolerate nvidia.com/gpu, by which GPU nodes are tainted: it stays Pending.",
        after="Write tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}].",
    )
