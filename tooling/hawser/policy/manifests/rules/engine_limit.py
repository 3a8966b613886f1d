"""HW-SRV-009: VLLM_ENGINE_READY_TIMEOUT_S missing or shorter than a first start."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.registry import Surroundings, pod_rule
from hawser.policy.manifests.workloads import Pod
from hawser.policy.registry import Hit, RuleMeta


@pod_rule(
    RuleMeta(
        id="HW-SRV-009",
        title="The engine waits for its own start as long as that takes.",
        area="startup",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="The engine gives up after 600 seconds with an empty message; the kernels of a big model need most of an"
        " hour at the first start.",
        fix="Set VLLM_ENGINE_READY_TIMEOUT_S to the time of a first start, below the window of the startup probe.",
    )
)
def engine_limit(pod: Pod, around: Surroundings) -> Iterator[Hit]:
    """VLLM_ENGINE_READY_TIMEOUT_S missing or shorter than a first start."""
    needed = around.start_s(pod)
    if needed is None:
        return
    for one in pod.servers:
        text = one.environment.get("VLLM_ENGINE_READY_TIMEOUT_S")
        has = int(text) if text and text.isdigit() else 600
        if has < needed:
            said = f"is {has} s" if text else f"is not set, so it is {has} s"
            yield Hit(
                path=f"{one.path}.env",
                message=f"VLLM_ENGINE_READY_TIMEOUT_S {said}; a first start takes about {needed / 60:.0f} min.",
                after=f'Write {{name: VLLM_ENGINE_READY_TIMEOUT_S, value: "{needed}"}}.',
            )
