"""HW-SRV-014: arguments that no version that is known has."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from hawser import facts
from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.registry import Surroundings, pod_rule
from hawser.policy.manifests.workloads import Pod
from hawser.policy.registry import Hit, RuleMeta


@pod_rule(
    RuleMeta(
        id="HW-SRV-014",
        title="Every argument is one that the engine knows.",
        area="engine",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="The engine stops at an argument that it does not know, after the node was paid for and the image was"
        " pulled.",
        fix="Take the name from the engine's own list for its version.",
    )
)
def known_arguments(pod: Pod, around: Surroundings) -> Iterator[Hit]:
    """Arguments that no version that is known has."""
    known = _arguments(around)
    for one in pod.servers:
        for word in one.words:
            name = word.partition("=")[0].partition(".")[0]
            if not name.startswith("--") or name == "--":
                continue
            plain = name.replace("_", "-")
            if plain not in known and plain.replace("--no-", "--", 1) not in known:
                near = difflib.get_close_matches(plain, known, n=1)
                yield Hit(
                    path=f"{one.path}.args",
                    message=f"{name} is no argument of vllm serve.",
                    after=f"Write {near[0]}." if near else f"Remove {name}.",
                )


def _arguments(around: Surroundings) -> frozenset[str]:
    options = facts.engine_options()
    if around.deployment is not None:
        image = around.deployment.contract.image
        if found := options.get((image.engine_name, image.engine_version)):
            return found.arguments
    return frozenset(name for one in options.values() if one.engine == "vllm" for name in one.arguments)
