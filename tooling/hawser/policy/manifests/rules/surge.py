"""HW-SRV-016: a rolling update of a Deployment that may start pods first."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.reading import Manifest
from hawser.policy.manifests.registry import Surroundings, manifest_rule
from hawser.policy.manifests.workloads import pods, table
from hawser.policy.registry import Hit, RuleMeta


@manifest_rule(
    RuleMeta(
        id="HW-SRV-016",
        title="An update stops a replica before it starts the next.",
        area="rollout",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=("Deployment",),
        looks_at="planned state",
        why="With the default strategy the new pod waits for GPUs that the old one holds, and the old one for the new:"
        " the update hangs until somebody deletes a pod.",
        fix="Write strategy: {type: Recreate}, or maxSurge: 0 and maxUnavailable: 1 where there are several replicas.",
    )
)
def surge(manifest: Manifest, _: Surroundings) -> Iterator[Hit]:
    """A rolling update of a Deployment that may start pods first."""
    pod = next(iter(pods(manifest)), None)
    if pod is None or not pod.gpus:
        return
    strategy = table(table(manifest.data.get("spec")).get("strategy"))
    rolling = table(strategy.get("rollingUpdate"))
    if strategy.get("type") == "Recreate" or rolling.get("maxSurge") in (0, "0", "0%"):
        return
    yield Hit(
        path="spec.strategy",
        message=f"An update starts a new pod first, which needs {pod.gpus} more GPUs than the replicas hold.",
        after="Write strategy: {type: Recreate}.",
    )
