"""HW-SRV-011: fewer than three misses, or less than ten seconds for an answer."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.registry import Surroundings, pod_rule
from hawser.policy.manifests.workloads import Pod
from hawser.policy.registry import Hit, RuleMeta


@pod_rule(
    RuleMeta(
        id="HW-SRV-011",
        title="Liveness forgives a busy server.",
        area="startup",
        severity=Severity.MEDIUM,
        level=Level.APPROVAL,
        resource_types=(),
        looks_at="planned state",
        why="A server under load answers its health path late; a probe that counts one or two misses restarts it in"
        " the middle of the work, and every restart costs a start.",
        fix="Write failureThreshold: 3 or more and timeoutSeconds: 10 or more, or a probe that looks whether tokens"
        " come.",
    )
)
def liveness(pod: Pod, _: Surroundings) -> Iterator[Hit]:
    """Fewer than three misses, or less than ten seconds for an answer."""
    for one in pod.servers:
        probe = one.probe("livenessProbe")
        if not probe or "exec" in probe:
            continue
        misses, wait = probe.get("failureThreshold", 3), probe.get("timeoutSeconds", 1)
        if (isinstance(misses, int) and misses < 3) or (isinstance(wait, int) and wait < 10):
            yield Hit(
                path=f"{one.path}.livenessProbe",
                message=f"Liveness waits {wait} s and forgives {misses} misses: a busy server answers later than that.",
                after="Write timeoutSeconds: 10 or more and failureThreshold: 3 or more.",
            )
