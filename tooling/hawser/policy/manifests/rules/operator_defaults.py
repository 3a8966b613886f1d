"""HW-SRV-024: fields whose defaults are wrong, and fields that the resource does not have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.reading import Manifest
from hawser.policy.manifests.registry import Surroundings, manifest_rule
from hawser.policy.manifests.workloads import pods, table
from hawser.policy.registry import Hit, RuleMeta

_NOT_THERE: Final = ("tolerations", "nodeSelector", "affinity")


@manifest_rule(
    RuleMeta(
        id="HW-SRV-024",
        title="An endpoint of HyperPod's operator overrides the defaults that do not fit a giant model.",
        area="hyperpod",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=("InferenceEndpointConfig",),
        looks_at="planned state",
        why="The operator gives up after an hour, asks /ping, reads metrics from port 8080 and offloads a cache that"
        " it cannot hold.",
        fix="Take what `hawser serve render` writes.",
    )
)
def operator_defaults(manifest: Manifest, around: Surroundings) -> Iterator[Hit]:
    """Fields whose defaults are wrong, and fields that the resource does not have."""
    spec, pod = table(manifest.data.get("spec")), next(iter(pods(manifest)))
    worker = table(spec.get("worker"))
    port = table(worker.get("modelInvocationPort")).get("containerPort")
    needed = around.start_s(pod)
    longest = spec.get("maxDeployTimeInSeconds", 3600)
    if needed is not None and isinstance(longest, int) and longest < needed + 600:
        yield Hit(
            path="spec.maxDeployTimeInSeconds",
            message=f"The operator gives up after {longest} s; a first start takes about {needed} s beside"
            " the copy of the weights.",
            after=f"Write maxDeployTimeInSeconds: {needed + 600 + 2400}.",
        )
    if table(spec.get("kvCacheSpec")).get("enableL1Cache", True) is not False:
        yield Hit(
            path="spec.kvCacheSpec",
            message="enableL1Cache is on by default: it offloads through LMCache, which cannot hold the"
            " cache of a hybrid model.",
            after="Write kvCacheSpec: {enableL1Cache: false, enableL2Cache: false}.",
        )
    metrics = table(table(spec.get("metrics")).get("modelMetrics")).get("port", 8080)
    if port is not None and metrics != port:
        yield Hit(
            path="spec.metrics",
            message=f"Metrics are read from port {metrics}; the engine answers on {port}.",
            after=f"Write metrics: {{enabled: true, modelMetrics: {{path: /metrics, port: {port}}}}}.",
        )
    if spec.get("invocationEndpoint", "invocations") == "invocations":
        yield Hit(
            path="spec.invocationEndpoint",
            message="The endpoint is invocations, which is not the API that clients speak and is not guarded"
            " by the engine's key.",
            after="Write invocationEndpoint: v1/chat/completions.",
        )
    for where, table_ in (("spec", spec), ("spec.kubernetes", table(spec.get("kubernetes")))):
        for name in _NOT_THERE:
            if name in table_:
                yield Hit(
                    path=f"{where}.{name}",
                    message=f"{name} is no field of the resource: the API server drops or refuses it.",
                    after=f"Remove {name}, and take the taint off the instance group.",
                )
