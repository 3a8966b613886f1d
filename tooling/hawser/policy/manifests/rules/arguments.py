"""HW-SRV-013: missing arguments, wrong parsers, a quantisation that the checkpoint has already."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.registry import Surroundings, pod_rule
from hawser.policy.manifests.workloads import Pod
from hawser.policy.registry import Hit, RuleMeta


@pod_rule(
    RuleMeta(
        id="HW-SRV-013",
        title="The engine gets the arguments and parsers of its model.",
        area="engine",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="Without them the engine stops, or answers with empty content and no tool calls, and every health check is"
        " green.",
        fix="Give the arguments of the model's recipe.",
    )
)
def arguments(pod: Pod, around: Surroundings) -> Iterator[Hit]:
    """Missing arguments, wrong parsers, a quantisation that the checkpoint has already."""
    model = around.model(pod)
    if model is None:
        return
    for one in pod.servers:
        path = f"{one.path}.args"
        for name in model.needed_arguments:
            if not one.has(name):
                yield Hit(path=path, message=f"{name} is missing, which {model.id} needs.", after=f"Add {name}.")
        for name, right in (
            ("--tool-call-parser", model.tool_call_parser),
            ("--reasoning-parser", model.reasoning_parser),
        ):
            has = one.option(name)
            if has is None:
                yield Hit(
                    path=path,
                    message=f"{name} is missing: the API gives raw text instead of its field.",
                    after=f"Add {name} {right}.",
                )
            elif has != right:
                why = model.other_parsers.get(has, "it is another model's")
                yield Hit(path=path, message=f"{name} is {has}: {why}.", after=f"Write {name} {right}.")
        if one.has("--quantization", "-q"):
            yield Hit(
                path=path,
                message=f"--quantization is given, but {model.id} was trained in {model.precision}: there is"
                " no step that quantises.",
                after="Remove --quantization.",
            )
