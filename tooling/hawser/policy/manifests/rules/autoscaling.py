"""HW-SRV-023: autoscalers of a workload with GPUs, and the operator's own."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.reading import Manifest
from hawser.policy.manifests.registry import Surroundings, manifest_rule
from hawser.policy.manifests.workloads import ENDPOINT, table
from hawser.policy.registry import Hit, RuleMeta


@manifest_rule(
    RuleMeta(
        id="HW-SRV-023",
        title="Nothing scales replicas on reserved GPUs by itself.",
        area="rollout",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="There are no more GPUs than were reserved, and a new replica is ready after an hour: the scaler starts"
        " pods that stay Pending, and stops those that work.",
        fix="Remove it; replicas follow the capacity that is reserved.",
    )
)
def autoscaling(manifest: Manifest, around: Surroundings) -> Iterator[Hit]:
    """Autoscalers of a workload with GPUs, and the operator's own."""
    spec = table(manifest.data.get("spec"))
    if manifest.kind in ("HorizontalPodAutoscaler", "ScaledObject"):
        target = str(table(spec.get("scaleTargetRef")).get("name") or "")
        if any(pod.servers and pod.manifest.name.endswith(f"/{target}") for pod in around.all_pods()):
            yield Hit(path="spec.scaleTargetRef", message=f"It scales {target}, which runs on GPUs that are reserved.")
    if manifest.kind == ENDPOINT:
        for name in ("autoScalingSpec",):
            if spec.get(name):
                yield Hit(
                    path=f"spec.{name}",
                    message="The endpoint scales by itself, on GPUs that are reserved.",
                    after=f"Remove {name}.",
                )
