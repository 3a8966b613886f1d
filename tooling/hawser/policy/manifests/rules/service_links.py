"""HW-SRV-021: services called vllm..., and pods that take such variables."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.reading import Manifest
from hawser.policy.manifests.registry import Surroundings, manifest_rule
from hawser.policy.manifests.workloads import pods, table
from hawser.policy.registry import Hit, RuleMeta


@manifest_rule(
    RuleMeta(
        id="HW-SRV-021",
        title="Services give the engine no variable that it reads as something else.",
        area="engine",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="Kubernetes gives pods VLLM_PORT=tcp://... for a service whose name begins with vllm, and the engine stops"
        " at it.",
        fix="Call the service after the model, and write enableServiceLinks: false in the pod.",
    )
)
def service_links(manifest: Manifest, _: Surroundings) -> Iterator[Hit]:
    """Services called vllm..., and pods that take such variables."""
    if manifest.kind == "Service":
        name = str(table(manifest.data.get("metadata")).get("name") or "")
        if name.lower().startswith("vllm"):
            yield Hit(
                path="metadata.name",
                message=f"The service {name} makes Kubernetes set {name.upper().replace('-', '_')}_PORT in"
                " every pod of the namespace, which the engine reads or trips over.",
                after=f"Call it {name[4:].strip('-') or 'model'}.",
            )
    for pod in pods(manifest):
        if pod.servers and not pod.of_operator and pod.spec.get("enableServiceLinks") is not False:
            yield Hit(
                path=f"{pod.path}.enableServiceLinks",
                message="The pod takes a variable for every service of its namespace, among them any that is"
                " called like one of the engine's.",
                after="Write enableServiceLinks: false.",
            )
