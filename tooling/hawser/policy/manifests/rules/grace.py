"""HW-SRV-018: no shutdown timeout, or a grace period shorter than preStop and the timeout."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.registry import Surroundings, pod_rule
from hawser.policy.manifests.workloads import Container, Pod, items, table
from hawser.policy.registry import Hit, RuleMeta

_MARGIN_S: Final = 30


@pod_rule(
    RuleMeta(
        id="HW-SRV-018",
        title="A pod is killed after its requests have ended, not before.",
        area="rollout",
        severity=Severity.MEDIUM,
        level=Level.APPROVAL,
        resource_types=(),
        looks_at="planned state",
        why="The engine aborts what runs unless it is told to wait, and Kubernetes kills after 30 seconds: every"
        " update cuts the answers that stream.",
        fix="Write --shutdown-timeout, a preStop of 15 seconds, and a grace period longer than both together.",
    )
)
def grace(pod: Pod, _: Surroundings) -> Iterator[Hit]:
    """No shutdown timeout, or a grace period shorter than preStop and the timeout."""
    if pod.of_operator:
        return
    grace = pod.spec.get("terminationGracePeriodSeconds", 30)
    for one in pod.servers:
        text = one.option("--shutdown-timeout")
        if text is None:
            yield Hit(
                path=f"{one.path}.args",
                message="--shutdown-timeout is missing: running answers are cut when the pod stops.",
                after="Add --shutdown-timeout 120, and terminationGracePeriodSeconds: 165.",
            )
            continue
        before = _slept(one)
        needed = before + (int(text) if text.isdigit() else 0) + _MARGIN_S
        if isinstance(grace, int) and grace < needed:
            yield Hit(
                path=f"{pod.path}.terminationGracePeriodSeconds",
                message=f"The pod is killed after {grace} s; preStop ({before} s) and --shutdown-timeout"
                f" ({text} s) need {needed} s with a margin.",
                after=f"Write terminationGracePeriodSeconds: {needed}.",
            )


def _slept(one: Container) -> int:
    hook = table(table(one.data.get("lifecycle")).get("preStop"))
    words = " ".join(map(str, items(table(hook.get("exec")).get("command"))))
    seconds = table(hook.get("sleep")).get("seconds")
    found = re.search(r"sleep[ ,]+(\d+)", words)
    return int(found[1]) if found else seconds if isinstance(seconds, int) else 0
