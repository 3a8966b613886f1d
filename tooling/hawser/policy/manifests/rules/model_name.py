"""HW-SRV-027: ids that articles write, and models from the hub without a revision."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.registry import Surroundings, pod_rule
from hawser.policy.manifests.workloads import Container, Pod
from hawser.policy.registry import Hit, RuleMeta

#: Ids that stand in articles, in small letters, and the repository that is meant.
_WRONG: Final = {"moonshotai/kimi-k3-instruct": "moonshotai/Kimi-K3", "moonshotai/kimi-k3-base": "moonshotai/Kimi-K3"}
_HUB: Final = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")


@pod_rule(
    RuleMeta(
        id="HW-SRV-027",
        title="The model is one that exists, at a revision that does not move.",
        area="engine",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="A repository that does not exist is found after an hour of waiting for the node; a branch gives other"
        " weights tomorrow.",
        fix="Write the repository's id and a commit of 40 hex digits.",
    )
)
def model_name(pod: Pod, _: Surroundings) -> Iterator[Hit]:
    """Ids that articles write, and models from the hub without a revision."""
    for one in pod.servers:
        for word in one.words:
            if right := _WRONG.get(word.lower()):
                yield Hit(path=f"{one.path}.args", message=f"There is no repository {word}.", after=f"Write {right}.")
        name = one.option("--model") or _served(one)
        if name and _HUB.fullmatch(name) and not re.fullmatch("[0-9a-f]{40}", one.option("--revision") or ""):
            yield Hit(
                path=f"{one.path}.args",
                message=f"{name} is fetched from the hub at whatever revision is newest.",
                after="Give --revision with a commit of 40 hex digits, or serve a folder that was verified.",
            )


def _served(one: Container) -> str:
    words = list(one.words)
    return words[words.index("serve") + 1] if "serve" in words and words.index("serve") + 1 < len(words) else ""
