"""HW-SRV-010: a startup window, or a liveness delay without one, that is shorter than a first start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.registry import Surroundings, pod_rule
from hawser.policy.manifests.workloads import Pod
from hawser.policy.registry import Hit, RuleMeta

#: Between the engine's own limit and the probe's, so that its message comes first.
_AFTER_ENGINE_S: Final = 300
_PERIOD_S: Final = 15


@pod_rule(
    RuleMeta(
        id="HW-SRV-010",
        title="Probes leave a container alone that still loads.",
        area="startup",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="A liveness or startup probe that runs out kills the container just before it is ready, and the load"
        " begins anew, for ever.",
        fix="Give a startupProbe whose periodSeconds times failureThreshold is longer than a first start; liveness"
        " begins after it.",
    )
)
def startup_window(pod: Pod, around: Surroundings) -> Iterator[Hit]:
    """A startup window, or a liveness delay without one, that is shorter than a first start."""
    needed = around.start_s(pod)
    if needed is None:
        return
    window_needed = needed + _AFTER_ENGINE_S
    looks = -(-window_needed // _PERIOD_S)
    for one in pod.servers:
        probe, liveness = one.probe("startupProbe"), one.probe("livenessProbe")
        if probe and (window := _window(probe)) < window_needed:
            yield Hit(
                path=f"{one.path}.startupProbe",
                message=f"The startup probe gives up after {window} s; a first start takes about {needed} s, and the"
                " engine's own limit must come before the probe.",
                after=f"Write periodSeconds: {_PERIOD_S}, failureThreshold: {looks} ({looks * _PERIOD_S} s).",
            )
        elif not probe and liveness and (window := _window(liveness)) < window_needed:
            yield Hit(
                path=f"{one.path}.livenessProbe",
                message=f"There is no startup probe, and liveness kills the container {window} s after it began; a"
                f" first start takes about {needed} s.",
                after="Add a startupProbe on the health path with"
                f" periodSeconds: {_PERIOD_S}, failureThreshold: {looks}.",
            )


def _window(probe: dict[str, object]) -> int:
    """Seconds until a probe that never passes has its way."""
    misses = _number(probe, "failureThreshold", 3)
    return _number(probe, "initialDelaySeconds", 0) + _number(probe, "periodSeconds", 10) * misses


def _number(probe: dict[str, object], name: str, default: int) -> int:
    value = probe.get(name, default)
    return value if isinstance(value, int) else default
