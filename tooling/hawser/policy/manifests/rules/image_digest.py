"""HW-SRV-001: an image without a digest."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.registry import Surroundings, pod_rule
from hawser.policy.manifests.workloads import Pod
from hawser.policy.registry import Hit, RuleMeta


@pod_rule(
    RuleMeta(
        id="HW-SRV-001",
        title="The image of a model server is named by its digest.",
        area="supply",
        severity=Severity.MEDIUM,
        level=Level.APPROVAL,
        resource_types=(),
        looks_at="planned state",
        why="A tag moves: the next pod that starts may run another engine, with other parsers and another cache, and"
        " nobody changed anything.",
        fix="Write image: <registry>/<name>@sha256:<digest>; the contract's image.digest is that.",
    )
)
def image_digest(pod: Pod, _: Surroundings) -> Iterator[Hit]:
    """An image without a digest."""
    for one in pod.servers:
        if "@sha256:" not in one.image:
            tag = one.image.rpartition(":")[2] if ":" in one.image.rsplit("/", 1)[-1] else "latest, since none is given"
            yield Hit(
                path=f"{one.path}.image",
                message=f"The image is named by a tag ({tag}), which may be another image tomorrow.",
            )
