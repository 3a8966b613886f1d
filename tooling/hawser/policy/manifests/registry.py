"""Rules for manifests: the same metadata as those for plans, and a function that looks at one object."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from hawser import facts
from hawser.contract.deployment import Deployment
from hawser.policy.manifests.reading import Manifest
from hawser.policy.manifests.workloads import Pod, pods
from hawser.policy.registry import Hit, RuleMeta
from hawser.sizing.startup import startup

_RULES: Final[dict[str, ManifestRule]] = {}

_GB: Final = 10**9


@dataclass(frozen=True)
class Surroundings:
    """What a rule may know besides the object: all that are judged with it, and the deployment if there is one."""

    manifests: tuple[Manifest, ...]
    deployment: Deployment | None = None

    def instance(self, pod: Pod) -> facts.Instance | None:
        """The kind of node of a pod: what it says itself, or the only one of the environment."""
        if pod.instance or self.deployment is None:
            return pod.instance
        kinds = {pool.instance_type for pool in self.deployment.environment.capacity.values()}
        return facts.instances()[kinds.pop()] if len(kinds) == 1 else None

    def model(self, pod: Pod) -> facts.ModelFacts | None:
        """The model that a pod serves: the contract's, or a known one whose name stands in its words."""
        if self.deployment is not None:
            return facts.models()[self.deployment.contract.model.id]
        words = " ".join(
            word for one in pod.containers for word in (*one.words, *one.environment.values(), pod.manifest.name)
        ).lower()
        return next((one for id_, one in facts.models().items() if id_.rsplit("/", 1)[-1].lower() in words), None)

    def start_s(self, pod: Pod) -> int | None:
        """Seconds of a first start of the engine: the environment's, or what is known of the model on local disks."""
        if self.deployment is not None:
            return startup(self.deployment).engine_s
        model = self.model(pod)
        known = facts.compiling().get(model.id) if model else None
        rate = facts.weights_caches()["instance-store"].read
        return (
            None
            if model is None or known is None or not rate
            else known.minutes * 60 + int(model.size_bytes / rate / _GB)
        )

    def all_pods(self) -> Iterator[Pod]:
        """The pods of every object."""
        for manifest in self.manifests:
            yield from pods(manifest)


ManifestFunction = Callable[[Manifest, Surroundings], Iterator[Hit]]
PodFunction = Callable[[Pod, Surroundings], Iterator[Hit]]


@dataclass(frozen=True, slots=True)
class ManifestRule:
    """Metadata and function. ``meta.resource_types`` are kinds; none means every kind."""

    meta: RuleMeta
    function: ManifestFunction


def manifest_rule(meta: RuleMeta) -> Callable[[ManifestFunction], ManifestFunction]:
    """Registers a function that is called for each object of ``meta.resource_types``."""

    def wrap(function: ManifestFunction) -> ManifestFunction:
        _register(ManifestRule(meta, function))
        return function

    return wrap


def pod_rule(meta: RuleMeta) -> Callable[[PodFunction], PodFunction]:
    """Registers a function that is called for each pod that runs an engine on GPUs; its hits have whole paths."""

    def wrap(function: PodFunction) -> PodFunction:
        def on_manifest(manifest: Manifest, around: Surroundings) -> Iterator[Hit]:
            for pod in pods(manifest):
                if pod.servers:
                    yield from function(pod, around)

        _register(ManifestRule(meta, on_manifest))
        return function

    return wrap


def _register(rule: ManifestRule) -> None:
    if rule.meta.id in _RULES:
        raise ValueError(f"rule {rule.meta.id} is defined twice")
    _RULES[rule.meta.id] = rule


@cache
def manifest_rules() -> tuple[ManifestRule, ...]:
    """Every rule under ``policy/manifests/rules``, sorted by id."""
    package = importlib.import_module("hawser.policy.manifests.rules")
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    return tuple(_RULES[id_] for id_ in sorted(_RULES))
