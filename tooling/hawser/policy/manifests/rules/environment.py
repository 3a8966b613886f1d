"""HW-SRV-015: variables of articles that the engine never reads."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Final

from hawser import facts
from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.registry import Surroundings, pod_rule
from hawser.policy.manifests.workloads import Pod
from hawser.policy.registry import Hit, RuleMeta

#: Variables that articles set, and the argument that does what they promise. vLLM 0.33.0 reads none of them.
_COPIED: Final[Mapping[str, str]] = {
    "DTYPE": "--dtype",
    "ENABLE_PREFIX_CACHING": "--enable-prefix-caching",
    "GPU_MEMORY_UTILIZATION": "--gpu-memory-utilization",
    "KV_CACHE_DTYPE": "--kv-cache-dtype",
    "MAX_MODEL_LEN": "--max-model-len",
    "MAX_NUM_SEQS": "--max-num-seqs",
    "MODEL": "the model as first argument",
    "MODEL_ID": "the model as first argument",
    "MODEL_NAME": "the model as first argument",
    "MODEL_PATH": "the model as first argument",
    "PIPELINE_PARALLEL_SIZE": "--pipeline-parallel-size",
    "QUANTIZATION": "no argument: the checkpoint says it",
    "REASONING_PARSER": "--reasoning-parser",
    "SERVED_MODEL_NAME": "--served-model-name",
    "TENSOR_PARALLEL_SIZE": "--tensor-parallel-size",
    "TOOL_CALL_PARSER": "--tool-call-parser",
    "TRUST_REMOTE_CODE": "--trust-remote-code",
    "VLLM_DISTRIBUTED_TIMEOUT": "--distributed-timeout-seconds",
    "VLLM_TENSOR_PARALLEL_SIZE": "--tensor-parallel-size",
}


@pod_rule(
    RuleMeta(
        id="HW-SRV-015",
        title="Settings of the engine are arguments; its variables are those that it reads.",
        area="engine",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="A variable that nothing reads changes nothing: the engine starts with its defaults, on one GPU, with"
        " another context, and no line of the log says why.",
        fix="Give the settings as arguments of the engine.",
    )
)
def environment(pod: Pod, _: Surroundings) -> Iterator[Hit]:
    """Variables of articles that the engine never reads."""
    known = frozenset(
        name for one in facts.engine_options().values() if one.engine == "vllm" for name in one.environment
    )
    for one in pod.servers:
        for name in one.environment:
            argument = _COPIED.get(name)
            if argument and not one.image.rpartition("/")[2].startswith("djl"):
                yield Hit(
                    path=f"{one.path}.env",
                    message=f"{name} is read by nothing in vllm serve.",
                    after=f"Remove it, and give {argument}.",
                )
            elif (
                name.startswith("VLLM_") and name not in known and not name.endswith(("_SERVICE_HOST", "_SERVICE_PORT"))
            ):
                near = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
                yield Hit(
                    path=f"{one.path}.env",
                    message=f"{name} is no variable that the engine reads.",
                    after=f"Write {near[0]}, or remove it." if near else "Remove it.",
                )
