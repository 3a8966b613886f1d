"""HW-SRV-020: services and ingresses with an address on the internet."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.reading import Manifest
from hawser.policy.manifests.registry import Surroundings, manifest_rule
from hawser.policy.manifests.workloads import table
from hawser.policy.registry import Hit, RuleMeta


@manifest_rule(
    RuleMeta(
        id="HW-SRV-020",
        title="A model server is reached from inside the network only.",
        area="exposure",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="Some paths of the engine answer without its key (/invocations): whoever finds the address uses the GPUs.",
        fix="Write a ClusterIP service; a load balancer is internal, with TLS, and lets the API's own paths through"
        " alone.",
    )
)
def public(manifest: Manifest, _: Surroundings) -> Iterator[Hit]:
    """Services and ingresses with an address on the internet."""
    notes = {
        str(key): str(value) for key, value in table(table(manifest.data.get("metadata")).get("annotations")).items()
    }
    spec = table(manifest.data.get("spec"))
    if manifest.kind == "Service" and spec.get("type") in ("LoadBalancer", "NodePort"):
        internal = notes.get("service.beta.kubernetes.io/aws-load-balancer-scheme") == "internal" or notes.get(
            "service.beta.kubernetes.io/aws-load-balancer-internal"
        ) in ("true", "0.0.0.0/0")
        if spec.get("type") == "NodePort":
            yield Hit(
                path="spec.type", message="A NodePort opens the port on every node.", after="Write type: ClusterIP."
            )
        elif not internal:
            yield Hit(
                path="spec.type",
                message="The load balancer gets an address on the internet.",
                after="Write type: ClusterIP, or the annotation"
                " service.beta.kubernetes.io/aws-load-balancer-scheme: internal.",
            )
    if manifest.kind == "Ingress" and notes.get("alb.ingress.kubernetes.io/scheme") == "internet-facing":
        yield Hit(
            path="metadata.annotations",
            message="The ingress gets an address on the internet.",
            after="Write alb.ingress.kubernetes.io/scheme: internal.",
        )
