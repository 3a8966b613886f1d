"""HW-SRV-007: runAsUser other than 0 and 2000."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.registry import Surroundings, pod_rule
from hawser.policy.manifests.workloads import Pod, table
from hawser.policy.registry import Hit, RuleMeta

#: Users of vllm/vllm-openai: root and vllm (kserve issue 5666, dynamo PR 12457).
_KNOWN: Final = (0, 2000)


@pod_rule(
    RuleMeta(
        id="HW-SRV-007",
        title="The engine runs as a user that its image knows.",
        area="engine",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="The image has a name for root and for 2000 (vllm) only; any other id dies with KeyError: getpwuid before"
        " a line of the engine runs.",
        fix="Write runAsUser: 2000, with HOME and every cache on a volume that this user may write.",
    )
)
def user(pod: Pod, _: Surroundings) -> Iterator[Hit]:
    """RunAsUser other than 0 and 2000."""
    for where, context in (
        (f"{pod.path}.securityContext", table(pod.spec.get("securityContext"))),
        *((f"{one.path}.securityContext", table(one.data.get("securityContext"))) for one in pod.servers),
    ):
        user = context.get("runAsUser")
        if isinstance(user, int) and user not in _KNOWN:
            yield Hit(
                path=f"{where}.runAsUser",
                message=f"The user {user} has no name in the image: the engine stops with KeyError: getpwuid():"
                f" uid not found: {user}.",
                after="Write runAsUser: 2000.",
            )
