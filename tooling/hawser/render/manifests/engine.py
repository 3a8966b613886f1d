"""The model server as both targets run it: command, arguments, environment, probes, and the folders that it uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from hawser import facts
from hawser.contract.deployment import Deployment
from hawser.render.manifests.names import PORT
from hawser.sizing.startup import PROBE_PERIOD_S, Startup, startup

#: How the contract's names for the form of the cache are called by vLLM (vllm/config/cache.py of 0.33.0).
_CACHE_DTYPES: Final = {"bf16": "bfloat16"}

#: What the recipe of the model asks for in every topology. Prefix keys every 128 tokens: the blocks of hybrid models
#: hold 768 or 1536, and a prompt that ends inside one would never be found again (vLLM issue 50235).
_ALWAYS: Final = ("--prefix-match-unit", "128")

#: Seconds that a rank waits for a step of another one: engines of several nodes load at different speeds (vLLM recipe
#: of Kimi K3, two nodes, 2026-08-20).
_EXECUTE_TIMEOUT_S: Final = 1800

#: Idle connections live longer than the balancer's 60 seconds, or it reuses one that was just closed.
_KEEP_ALIVE_S: Final = 75


@dataclass(frozen=True, slots=True)
class Folders:
    """Where the cache volume is mounted, where the weights lie, and the folder of everything else that is kept.

    The weights lie in the cache volume, or on a volume of their own that is mounted there.
    """

    mount: str
    weights: str
    own: str

    @property
    def home(self) -> str:
        """The home of the user that the container runs as."""
        return f"{self.own}/home"


def folders(deployment: Deployment) -> Folders:
    """The folder above the weights is the volume; when that is the root, the weights' own folder is.

    One volume for both, because the operator of HyperPod mounts no second one.
    """
    path = deployment.contract.weights.path.rstrip("/")
    parent = path.rpartition("/")[0]
    if not parent and own_volume(deployment):
        return Folders("/hawser-cache", path, "/hawser-cache")
    return Folders(parent or path, path, f"{parent or path}/.hawser")


def own_volume(deployment: Deployment) -> bool:
    """Whether the weights lie on a volume of their own, beside the node's disks: a file system, or an EBS volume."""
    return deployment.contract.weights.cache in ("lustre", "ebs")


def command(deployment: Deployment) -> list[str]:
    """The image's entrypoint."""
    return list(deployment.contract.image.entrypoint)


def weights_source(deployment: Deployment) -> str:
    """What the engine is given as its model: the folder, or the bucket where weights are streamed from it."""
    streamed = deployment.contract.weights.cache == "s3-stream"
    return deployment.environment.weights_uri if streamed else folders(deployment).weights


def arguments(deployment: Deployment) -> list[str]:
    """The engine's arguments, without those that differ from node to node of a replica."""
    contract = deployment.contract
    api, serving = contract.api, contract.serving
    found = [
        weights_source(deployment),
        "--served-model-name", api.served_model_name,
        "--port", str(api.port),
        "--tensor-parallel-size", str(serving.tensor_parallel),
    ]  # fmt: skip
    if serving.pipeline_parallel > 1:
        found += ["--pipeline-parallel-size", str(serving.pipeline_parallel)]
    if serving.data_parallel > 1:
        found += ["--data-parallel-size", str(serving.data_parallel)]
    if serving.expert_parallel > 1:
        found += ["--enable-expert-parallel"]
    found += [
        "--max-model-len", str(serving.max_model_len),
        "--kv-cache-dtype", _CACHE_DTYPES.get(serving.kv_cache_dtype, serving.kv_cache_dtype),
        "--gpu-memory-utilization", f"{serving.gpu_memory_utilization:g}",
        "--tool-call-parser", serving.tool_call_parser,
        "--reasoning-parser", serving.reasoning_parser,
        "--shutdown-timeout", str(serving.shutdown_timeout_seconds),
    ]  # fmt: skip
    extra = list(serving.extra_args)
    for group in (facts.weights_caches()[contract.weights.cache].arguments, _ALWAYS):
        if group[0] not in {one.partition("=")[0] for one in extra}:  # the contract's own word counts
            found += group
    return found + extra


def environment(deployment: Deployment) -> dict[str, str]:
    """The engine's environment, the same on every rank: every cache on the volume, and the limits of its waiting."""
    own = folders(deployment)
    compiled = f"{own.own}/compiled/{deployment.contract.image.digest.removeprefix('sha256:')[:12]}"
    return {
        "HF_HUB_OFFLINE": "1",  # nothing is fetched from the hub: weights and code are what the manifest lists
        "HF_HOME": f"{own.own}/hub",
        "HF_MODULES_CACHE": f"{own.own}/modules",
        "HOME": own.home,
        "FLASHINFER_WORKSPACE_BASE": compiled,
        "TORCHINDUCTOR_CACHE_DIR": f"{compiled}/inductor",
        "TRITON_CACHE_DIR": f"{compiled}/triton",
        "CUDA_CACHE_PATH": f"{compiled}/cuda",
        "VLLM_CACHE_ROOT": f"{compiled}/vllm",
        "VLLM_ENGINE_READY_TIMEOUT_S": str(startup(deployment).engine_s),
        "VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS": str(_EXECUTE_TIMEOUT_S),
        "VLLM_HTTP_TIMEOUT_KEEP_ALIVE": str(_KEEP_ALIVE_S),
        "VLLM_NO_USAGE_STATS": "1",
        **({"AWS_REGION": deployment.environment.region} if deployment.contract.weights.cache == "s3-stream" else {}),
    }


def probes(deployment: Deployment, limits: Startup, alive: list[str] | None) -> dict[str, Any]:
    """Startup, readiness and liveness.

    Readiness and startup ask the health path, which answers when the model is loaded. Liveness must neither end a busy
    server nor keep one that hangs, so it runs ``alive``, which looks whether tokens come; without a place for a script
    it asks the health path with much patience.
    """
    health = {"httpGet": {"path": deployment.contract.api.paths["health"], "port": PORT}}
    started = {**health, "periodSeconds": PROBE_PERIOD_S, "timeoutSeconds": 10}
    liveness: dict[str, Any] = {"exec": {"command": alive}} if alive else {**health}
    misses = 4 if alive else 10
    return {
        "startupProbe": {**started, "failureThreshold": limits.probe_failures},
        "readinessProbe": {**health, "periodSeconds": 10, "timeoutSeconds": 10, "failureThreshold": 3},
        "livenessProbe": {
            **liveness,
            "periodSeconds": 30,
            "timeoutSeconds": 20,
            "failureThreshold": misses,
        },
    }


def resources(deployment: Deployment, instance: facts.Instance, nodes: int) -> dict[str, str]:
    """What one pod of the model server takes of its node: the same as request and limit.

    A pod that has the node alone takes nine tenths of what the node can give; what daemons take comes out of the rest.
    A smaller one takes its part by GPUs.
    """
    kubelet, gpus = facts.kubelet(), min(deployment.contract.serving.gpus_per_replica // nodes, instance.gpus)
    share = 0.9 * gpus / instance.gpus
    return {
        "cpu": str(int(kubelet.cpu_m(instance.vcpu) * share / 1000)),
        "memory": f"{int(kubelet.memory_mib(instance.ram_gib) * share / 1024)}Gi",
        "nvidia.com/gpu": str(gpus),
    }
