"""How long a replica may take to start, and the limits that follow from it, each later than the one before.

A limit that is shorter than the start kills a replica that was about to be ready; then it starts again, for ever. So
the limits are computed in one place, from the size of the weights, the speed of their cache and the time that kernels
are compiled, and are never shorter than what the contract says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from hawser import facts
from hawser.contract.deployment import Deployment
from hawser.sizing.lustre import cache_gib

_GB: Final = 10**9
_GIB: Final = 2**30

#: The engine's own message comes first, then the probe ends the container, then the operator and the rollout give up.
#: Choices of this project: long enough that one limit is never reached in the second of the next.
_PROBE_AFTER_ENGINE_S: Final = 300
_OPERATOR_AFTER_PROBE_S: Final = 300
_ROLLOUT_AFTER_OPERATOR_S: Final = 600

#: Seconds between two looks of the startup probe.
PROBE_PERIOD_S: Final = 15

#: How long a stopping replica still gets requests: endpoints are taken out of balancers meanwhile. And what is left
#: between the end of the engine's own time and the kill. Choices of this project.
PRE_STOP_S: Final = 15
_GRACE_MARGIN_S: Final = 30


@dataclass(frozen=True, slots=True)
class Step:
    """One part of a start: seconds on a node that never ran the model, and on one that did, with the arithmetic."""

    name: str
    first_s: int
    warm_s: int
    why: str


@dataclass(frozen=True, slots=True)
class Startup:
    """The steps of a start and the limits of everything that waits for it, in seconds.

    ``first_s`` and ``warm_s`` are whole starts. The limits hold for the first: ``engine_s`` < ``probe_s`` <
    ``operator_s`` < ``rollout_s``. ``grace_s`` is how long a pod may take to stop.
    """

    cache: str
    steps: tuple[Step, ...]
    engine_s: int
    probe_s: int
    operator_s: int
    rollout_s: int
    grace_s: int

    @property
    def first_s(self) -> int:
        """A start on a node that never ran the model."""
        return sum(step.first_s for step in self.steps)

    @property
    def warm_s(self) -> int:
        """A start on a node whose caches hold weights and kernels."""
        return sum(step.warm_s for step in self.steps)

    @property
    def probe_failures(self) -> int:
        """Looks of the startup probe before it ends the container."""
        return self.probe_s // PROBE_PERIOD_S


def startup(deployment: Deployment) -> Startup:
    """The start of a replica of the deployment."""
    contract = deployment.contract
    nodes = nodes_per_replica(deployment)
    cache = facts.weights_caches()[contract.weights.cache]
    copy = _copy(contract.weights.size_bytes, cache)
    load = _load(deployment, cache, nodes)
    compiled = _compiled(deployment, load)
    pull_s = facts.image_pull().minutes * 60
    pull = Step("pull the image", pull_s, 0, f"up to {facts.image_pull().minutes} min on a node that never had it")
    engine_s = load.first_s + compiled.first_s
    probe_s = _rounded(engine_s + _PROBE_AFTER_ENGINE_S, PROBE_PERIOD_S)
    operator_s = pull_s + copy.first_s + probe_s + _OPERATOR_AFTER_PROBE_S
    return Startup(
        cache=cache.kind,
        steps=(pull, copy, load, compiled),
        engine_s=engine_s,
        probe_s=probe_s,
        operator_s=operator_s,
        rollout_s=operator_s + _ROLLOUT_AFTER_OPERATOR_S,
        grace_s=PRE_STOP_S + contract.serving.shutdown_timeout_seconds + _GRACE_MARGIN_S,
    )


def nodes_per_replica(deployment: Deployment) -> int:
    """Nodes that one replica takes: its GPUs over those of the smallest node of the pools."""
    gpus = min(facts.instances()[pool.instance_type].gpus for pool in deployment.environment.capacity.values())
    return math.ceil(deployment.contract.serving.gpus_per_replica / gpus)


def _copy(size: int, cache: facts.WeightsCache) -> Step:
    name = "copy the weights"
    if cache.copy is None:
        return Step(name, 0, 0, f"nothing is copied with {cache.kind}")
    seconds = math.ceil(size / (cache.copy * _GB))
    return Step(name, seconds, 0, f"{size / _GB:,.0f} GB at {cache.copy:g} GB/s; only what is missing is copied")


def _load(deployment: Deployment, cache: facts.WeightsCache, nodes: int) -> Step:
    """Each node of a replica reads the whole checkpoint, since its ranks take a part of every layer."""
    size = deployment.contract.weights.size_bytes
    rate, of = cache.read or 0.0, ""
    if cache.read is None:
        gib, bought = cache_gib(size), facts.lustre().throughput_mb_per_tib
        rate, of = gib / 1024 * bought / 1000 / nodes, f" ({gib:,} GiB of Lustre with {bought} MB/s per TiB)"
    seconds = math.ceil(size / (rate * _GB))
    return Step("load the weights", seconds, seconds, f"{size / _GB:,.0f} GB at {rate:.3g} GB/s{of}")


def _compiled(deployment: Deployment, load: Step) -> Step:
    """Compiling and warming up, made up to the minutes that the contract allows where those are more."""
    serving, known = deployment.contract.serving, facts.compiling().get(deployment.contract.model.id)
    minutes = known.minutes if known else 0
    first = max(minutes * 60, serving.first_boot_minutes * 60 - load.first_s)
    warm = max(0, serving.warm_boot_minutes * 60 - load.warm_s)
    why = f"about {minutes} min of compiling on a new node" if known else "not known for this model"
    if first > minutes * 60:
        why += f"; made up to the {serving.first_boot_minutes} min of serving.first_boot_minutes"
    return Step("compile and warm up", first, warm, why)


def _rounded(seconds: int, unit: int) -> int:
    return math.ceil(seconds / unit) * unit
