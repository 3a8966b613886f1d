"""HW-SRV-017: budgets that allow nothing, or as many as there are replicas."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.reading import Manifest
from hawser.policy.manifests.registry import Surroundings, manifest_rule
from hawser.policy.manifests.workloads import Pod, table
from hawser.policy.registry import Hit, RuleMeta


@manifest_rule(
    RuleMeta(
        id="HW-SRV-017",
        title="A disruption budget leaves a drain something to do.",
        area="rollout",
        severity=Severity.MEDIUM,
        level=Level.APPROVAL,
        resource_types=("PodDisruptionBudget",),
        looks_at="planned state",
        why="A budget that allows no disruption blocks every drain: of a broken node, of an update, and of a block"
        " that ends.",
        fix="Write maxUnavailable: 1, and no budget at all for a single replica.",
    )
)
def disruption(manifest: Manifest, around: Surroundings) -> Iterator[Hit]:
    """Budgets that allow nothing, or as many as there are replicas."""
    spec = table(manifest.data.get("spec"))
    least, most = spec.get("minAvailable"), spec.get("maxUnavailable")
    match = table(table(spec.get("selector")).get("matchLabels"))
    replicas = max((pod.replicas or 1 for pod in around.all_pods() if match and _is_of(pod, match)), default=None)
    if (
        most in (0, "0", "0%")
        or least == "100%"
        or (isinstance(least, int) and replicas is not None and least >= replicas)
    ):
        of = f" of {replicas} replicas" if replicas is not None else ""
        said = f"minAvailable {least}" if least is not None else f"maxUnavailable {most}"
        yield Hit(
            path="spec",
            message=f"{said}{of} allows no disruption: a drain never ends.",
            after="Write maxUnavailable: 1."
            if replicas is None or replicas > 1
            else "Remove the budget: there is one replica.",
        )


def _is_of(pod: Pod, match: dict[str, object]) -> bool:
    template: object = pod.manifest.data
    for key in pod.path.split(".")[:-1]:
        template = table(template).get(key)
    labels = table(table(table(template).get("metadata")).get("labels"))
    return match.items() <= labels.items()
