"""Pods in one shape, from whatever makes them, and what is asked of the containers in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hawser import facts
from hawser.policy.manifests.reading import Manifest

GPU: Final = "nvidia.com/gpu"
EFA: Final = "vpc.amazonaws.com/efa"
ENDPOINT: Final = "InferenceEndpointConfig"
#: The API group of HyperPod's inference operator (its custom resources, operator 3.2, 2026-06-22).
OPERATOR: Final = "inference.sagemaker.aws.amazon.com"

#: Kind -> paths of the pod templates in it.
_TEMPLATES: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "Pod": ((),),
    "Deployment": (("spec", "template"),),
    "StatefulSet": (("spec", "template"),),
    "ReplicaSet": (("spec", "template"),),
    "DaemonSet": (("spec", "template"),),
    "Job": (("spec", "template"),),
    "CronJob": (("spec", "jobTemplate", "spec", "template"),),
    "LeaderWorkerSet": (
        ("spec", "leaderWorkerTemplate", "leaderTemplate"),
        ("spec", "leaderWorkerTemplate", "workerTemplate"),
    ),
}

_SUFFIXES: Final = {
    "": 1, "m": 1e-3, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15,
    "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50,
}  # fmt: skip
_QUANTITY: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)([a-zA-Z]*)")


def quantity(value: Any) -> float | None:
    """A quantity of Kubernetes (``1.5Ti``, ``500m``, 8) as a number; nothing for what is none."""
    found = _QUANTITY.fullmatch(str(value).strip())
    if found is None or found[2] not in _SUFFIXES:
        return None
    return float(found[1]) * _SUFFIXES[found[2]]


def table(node: Any) -> dict[str, Any]:
    """A table, or an empty one for what is none."""
    return node if isinstance(node, dict) else {}


def items(node: Any) -> list[Any]:
    """A list, or an empty one for what is none."""
    return node if isinstance(node, list) else []


@dataclass(frozen=True, slots=True)
class Container:
    """One container of a pod; ``path`` leads to it. ``words`` are command and arguments together."""

    path: str
    data: Mapping[str, Any]
    words: tuple[str, ...]

    @property
    def image(self) -> str:
        """Its image."""
        return str(self.data.get("image") or "")

    @property
    def environment(self) -> dict[str, str]:
        """Values that are written out; those from elsewhere are left out."""
        listed = items(self.data.get("env")) or items(self.data.get("environmentVariables"))
        return {str(one.get("name")): str(one["value"]) for one in map(table, listed) if one.get("value") is not None}

    def resource(self, side: str, name: str) -> float | None:
        """What it requests or is limited to, as a number."""
        value = table(table(self.data.get("resources")).get(side)).get(name)
        return None if value is None else quantity(value)

    @property
    def gpus(self) -> int:
        """GPUs that it asks for, by limit or request."""
        return int(self.resource("limits", GPU) or self.resource("requests", GPU) or 0)

    @property
    def is_engine(self) -> bool:
        """Whether it runs vLLM's server."""
        name = self.image.rsplit("@", 1)[0].rsplit("/", 1)[-1]
        return any("vllm" in word and "/models" not in word for word in self.words[:6]) or name.startswith("vllm")

    def option(self, *names: str) -> str | None:
        """The value of an argument (``--port 8000`` and ``--port=8000``); the last one counts, as in the engine."""
        found = None
        for index, word in enumerate(self.words):
            head, equals, value = word.partition("=")
            if head in names:
                after = self.words[index + 1] if index + 1 < len(self.words) else ""
                found = value if equals else after if not after.startswith("--") else ""
        return found

    def has(self, *names: str) -> bool:
        """Whether an argument is given."""
        return any(word.partition("=")[0] in names for word in self.words)

    @property
    def mounts(self) -> list[dict[str, Any]]:
        """Its volume mounts."""
        mounts = [table(one) for one in items(self.data.get("volumeMounts"))]
        own = self.data.get("modelVolumeMount")
        return [*mounts, table(own)] if own else mounts

    def probe(self, name: str) -> dict[str, Any]:
        """A probe (``startupProbe``, ``readinessProbe``, ``livenessProbe``), or an empty table."""
        return table(self.data.get(name) or table(self.data.get("probes")).get(name))


@dataclass(frozen=True, slots=True)
class Pod:
    """A pod's template; ``path`` leads to its ``spec``. ``ours`` says that nothing but the operator shapes it."""

    manifest: Manifest
    path: str
    spec: Mapping[str, Any]
    containers: tuple[Container, ...]
    replicas: int | None

    @property
    def of_operator(self) -> bool:
        """Whether HyperPod's operator makes the pod, so that much of it cannot be written."""
        return self.manifest.kind == ENDPOINT

    @property
    def servers(self) -> tuple[Container, ...]:
        """The containers that run an engine on GPUs."""
        return tuple(one for one in self.containers if one.is_engine and (one.gpus or self.of_operator))

    @property
    def gpus(self) -> int:
        """GPUs of all containers."""
        return sum(one.gpus for one in self.containers)

    @property
    def instance(self) -> facts.Instance | None:
        """The kind of node that it asks for, when it says so and the kind is known."""
        named = [str(self.spec.get("instanceType") or "")]
        for key in ("node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"):
            named.append(str(table(self.spec.get("nodeSelector")).get(key) or ""))
            named += list(_affinity(self.spec, key))
        return next((found for name in named if (found := facts.instances().get(name.removeprefix("ml.")))), None)

    def volume(self, name: str) -> dict[str, Any]:
        """A volume by its name."""
        return next((one for one in map(table, items(self.spec.get("volumes"))) if one.get("name") == name), {})


def _affinity(spec: Mapping[str, Any], key: str) -> Iterator[str]:
    node = table(table(spec.get("affinity")).get("nodeAffinity"))
    for term in items(table(node.get("requiredDuringSchedulingIgnoredDuringExecution")).get("nodeSelectorTerms")):
        for one in map(table, items(table(term).get("matchExpressions"))):
            if one.get("key") == key and one.get("operator") == "In":
                yield from map(str, items(one.get("values")))


def pods(manifest: Manifest) -> Iterator[Pod]:
    """The pods that an object makes."""
    if manifest.kind == ENDPOINT:
        yield from _of_endpoint(manifest)
        return
    replicas = table(manifest.data.get("spec")).get("replicas")
    for keys in _TEMPLATES.get(manifest.kind, ()):
        node: Any = manifest.data
        for key in keys:
            node = table(node).get(key)
        spec = table(table(node).get("spec"))
        path = ".".join((*keys, "spec"))
        if spec:
            count = replicas if isinstance(replicas, int) else None
            yield Pod(manifest, path, spec, tuple(_containers(spec, path)), count)


def _containers(spec: Mapping[str, Any], path: str) -> Iterator[Container]:
    for index, one in enumerate(map(table, items(spec.get("containers")))):
        yield Container(f"{path}.containers[{index}]", one, _words(one))


def _words(container: Mapping[str, Any]) -> tuple[str, ...]:
    """Command and arguments; what a shell is given as one text is taken apart at blanks."""
    listed = [str(word) for key in ("command", "args") for word in items(container.get(key))]
    words: list[str] = []
    for word in listed:
        words += word.replace("\\\n", " ").split() if (" " in word or "\n" in word) and "{" not in word else [word]
    return tuple(words)


def _of_endpoint(manifest: Manifest) -> Iterator[Pod]:
    spec = table(manifest.data.get("spec"))
    worker = table(spec.get("worker"))
    replicas = spec.get("replicas", 1)
    extra = table(spec.get("kubernetes"))
    merged = {**extra, "instanceType": spec.get("instanceType")}
    container = Container("spec.worker", worker, _words(worker))
    yield Pod(manifest, "spec", merged, (container,), replicas if isinstance(replicas, int) else None)
