"""Facts about AWS and models, each with its source, date and mark, as frozen records.

The YAML files beside this one are the only place where such figures stand. Every loader reads its file once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, TypeGuard, get_args

import yaml

Mark = Literal["verified", "secondary", "unverified"]

_FOLDER: Final = Path(__file__).parent
_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class FactError(ValueError):
    """An entry of a facts file that does not say where it comes from. A fault of the package, not of its user."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a fact comes from: source in words, ISO date on which it held there, and how far it was checked."""

    source: str
    date: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class Interface:
    """One network interface of a node: network card, device index on that card, ``interface`` or ``efa-only``."""

    card: int
    device: int
    type: str


@dataclass(frozen=True, slots=True)
class Instance:
    """A GPU instance type. ``name`` is the EC2 name, ``gpu_mib`` the memory of one GPU in MiB as EC2 reports it."""

    name: str
    gpu: str
    gpus: int
    gpu_mib: int
    vcpu: int
    ram_gib: int
    efa: int
    nvme_gb: int
    interfaces: tuple[Interface, ...]
    origin: Origin

    @property
    def sagemaker_name(self) -> str:
        """The name that HyperPod knows it by."""
        return f"ml.{self.name}"


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """A model. Sizes in bytes; ``context`` in tokens; ``driver`` is the oldest NVIDIA driver branch.

    ``minimum_nodes`` maps an instance type to the nodes that one replica needs, ``engines`` an engine to its oldest
    version, ``other_parsers`` a parser name that looks right to what happens with it. ``needed_arguments`` are what the
    engine must be given in every topology.
    """

    id: str
    size_bytes: int
    expert_bytes: int
    file_count: int
    precision: str
    attention_heads: int
    context: int
    minimum_nodes: Mapping[str, int]
    tool_call_parser: str
    reasoning_parser: str
    other_parsers: Mapping[str, str]
    engines: Mapping[str, str]
    needed_arguments: tuple[str, ...]
    cuda: str
    driver: int
    licence: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Licence:
    """What a licence asks for, by use."""

    name: str
    service: str
    internal: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Region:
    """A region: ARN partition, what its zone ids begin with, zones in which EKS refuses control-plane subnets."""

    name: str
    partition: str
    zone_prefix: str
    no_control_plane: tuple[str, ...]
    origin: Origin


@dataclass(frozen=True, slots=True)
class KubernetesVersion:
    """A Kubernetes minor version on EKS; ISO date of the last day of standard support, when it is known."""

    name: str
    standard_support_ends: str | None
    origin: Origin

    @property
    def ended(self) -> bool:
        """Whether standard support was over on the date of the fact itself. No clock is read."""
        return self.standard_support_ends is not None and self.standard_support_ends < self.origin.date

    @property
    def number(self) -> tuple[int, ...]:
        """For comparing: 1.9 is older than 1.10."""
        return tuple(int(part) for part in self.name.split("."))


@dataclass(frozen=True, slots=True)
class VersionRange:
    """Oldest and newest version, both included."""

    oldest: str
    newest: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Addon:
    """An EKS add-on: exact version, or nothing for the default of the Kubernetes version.

    ``needs`` is what must be there before it becomes active: ``control-plane``, ``nodes`` or ``hyperpod``.
    """

    name: str
    version: str | None
    needs: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class MissingRegions:
    """Regions that something is not there for."""

    regions: tuple[str, ...]
    origin: Origin


@dataclass(frozen=True, slots=True)
class SystemNodes:
    """Nodes for controllers: EC2 instance type and how many."""

    instance_type: str
    count: int
    origin: Origin


@dataclass(frozen=True, slots=True)
class Volume:
    """An EBS volume, size in GB."""

    size_gb: int
    origin: Origin


@dataclass(frozen=True, slots=True)
class Lustre:
    """What FSx for Lustre sells, sizes in GiB: the smallest, then multiples of the step. Throughput in MB/s per TiB.

    ``reserve_percent`` is the room that stays beside the weights.
    """

    smallest_gib: int
    step_gib: int
    throughput_mb_per_tib: int
    throughputs_mb_per_tib: tuple[int, ...]
    reserve_percent: int
    origin: Origin


@dataclass(frozen=True, slots=True)
class EngineAlarms:
    """Metrics of an inference engine in CloudWatch, and what is too much: waiting requests, seconds to first token."""

    namespace: str
    queue: str
    queue_length: int
    first_token: str
    first_token_seconds: int
    origin: Origin


@dataclass(frozen=True, slots=True)
class Gp3:
    """What is bought with an EBS volume as a cache: IOPS, throughput in MB/s, percent of room beside the weights."""

    iops: int
    throughput_mb: int
    reserve_percent: int
    origin: Origin


@dataclass(frozen=True, slots=True)
class WeightsCache:
    """How fast weights come through a cache, in GB/s (10^9 bytes), and what the engine is told to read it with.

    ``copy`` is from S3 into the cache before the engine starts, ``read`` from it into the GPUs; nothing where none is
    copied, and where the speed is what was bought.
    """

    kind: str
    copy: float | None
    read: float | None
    arguments: tuple[str, ...]
    origin: Origin


@dataclass(frozen=True, slots=True)
class Minutes:
    """A time that something takes."""

    minutes: int
    origin: Origin


@dataclass(frozen=True, slots=True)
class Kubelet:
    """What a node keeps from its pods: memory in MiB after a percentage of overhead, CPU in thousandths of a core."""

    memory_overhead_percent: float
    reserved_mib: int
    reserved_mib_per_pod: int
    eviction_mib: int
    pods: int
    reserved_cpu_m: int
    origin: Origin

    def memory_mib(self, ram_gib: int) -> int:
        """The least memory in MiB that pods of a node with so much memory can have."""
        shown = int(ram_gib * 1024 * (100 - self.memory_overhead_percent) / 100)
        return shown - self.reserved_mib - self.reserved_mib_per_pod * self.pods - self.eviction_mib

    def cpu_m(self, vcpu: int) -> int:
        """Thousandths of a core that pods of a node with so many cores can have."""
        return vcpu * 1000 - self.reserved_cpu_m


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """What one version of an engine takes: arguments (``--port``) and environment variables that it reads itself."""

    engine: str
    version: str
    arguments: frozenset[str]
    environment: frozenset[str]
    origin: Origin


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric of an engine: the name that it is registered under, and its kind (gauge | counter | histogram).

    ``tells`` says about what: latency, load, memory, cache or throughput.
    """

    name: str
    kind: str
    tells: str


@dataclass(frozen=True, slots=True)
class EngineMetrics:
    """The metrics of one version of an engine that dashboards, alarms and probes can lean on."""

    metrics: tuple[Metric, ...]
    origin: Origin


@dataclass(frozen=True, slots=True)
class ReasoningField:
    """The field of an answer that holds what the model thought: ``field`` from version ``since``, else ``before``."""

    field: str
    since: str
    before: str
    origin: Origin


def read(name: str) -> dict[str, Any]:
    """The facts file ``name``, parsed. Where an entry comes from is checked by ``origin``."""
    with (_FOLDER / name).open("rb") as file:
        data: dict[str, Any] = yaml.load(file, Loader=_Loader)  # noqa: S506 - either is a safe loader
    return data


def origin(entry: Mapping[str, Any], where: str) -> Origin:
    """The origin of ``entry``. Raises ``FactError`` when it has no source, no ISO date in quotes, or no known mark."""
    source, date, mark = entry.get("source"), entry.get("date"), entry.get("mark")
    if not (isinstance(source, str) and source.strip()):
        raise FactError(f"{where} has no source")
    if not (isinstance(date, str) and len(date) == len("2026-01-31") and date[4] == date[7] == "-"):
        raise FactError(f"{where} has no date in the form YYYY-MM-DD, in quotes")
    if not _is_mark(mark):
        raise FactError(f"{where} has no mark out of {', '.join(get_args(Mark))}")
    return Origin(source, date, mark)


def _is_mark(mark: object) -> TypeGuard[Mark]:
    return mark in get_args(Mark)


def _entries(file: str, *sections: str) -> Iterator[tuple[str, dict[str, Any], Origin]]:
    """Name, fields and origin of each entry of a section (or of a section in a section)."""
    table = read(file)
    for section in sections:
        table = table[section]
    for name, fields in table.items():
        yield name, fields, origin(fields, f"{file}: {name}")


def _interfaces(compact: list[dict[str, Any]]) -> tuple[Interface, ...]:
    found = []
    for entry in compact:
        first, _, last = entry["cards"].partition("-")
        found += [Interface(c, entry["device"], entry["type"]) for c in range(int(first), int(last or first) + 1)]
    return tuple(found)


@cache
def instances() -> Mapping[str, Instance]:
    """GPU instance types by EC2 name."""
    return {
        name: Instance(
            name=name,
            gpu=fields["gpu"],
            gpus=fields["gpus"],
            gpu_mib=fields["gpu_mib"],
            vcpu=fields["vcpu"],
            ram_gib=fields["ram_gib"],
            efa=fields["efa"],
            nvme_gb=fields["nvme_gb"],
            interfaces=_interfaces(fields["interfaces"]),
            origin=source,
        )
        for name, fields, source in _entries("instances.yaml", "instances")
    }


@cache
def models() -> Mapping[str, ModelFacts]:
    """Models by repository id."""
    return {
        name: ModelFacts(
            id=name,
            size_bytes=fields["size_bytes"],
            expert_bytes=fields["expert_bytes"],
            file_count=fields["file_count"],
            precision=fields["precision"],
            attention_heads=fields["attention_heads"],
            context=fields["context"],
            minimum_nodes=fields["minimum_nodes"],
            tool_call_parser=fields["parsers"]["tool_call"],
            reasoning_parser=fields["parsers"]["reasoning"],
            other_parsers=fields["parsers"]["other"],
            engines=fields["engines"],
            needed_arguments=tuple(fields["needed_arguments"]),
            cuda=fields["cuda"],
            driver=fields["driver"],
            licence=fields["licence"],
            origin=source,
        )
        for name, fields, source in _entries("models.yaml", "models")
    }


@cache
def licences() -> Mapping[str, Licence]:
    """Licences by name."""
    return {
        name: Licence(name, fields["service"], fields["internal"], source)
        for name, fields, source in _entries("models.yaml", "licences")
    }


@cache
def regions() -> Mapping[str, Region]:
    """Regions by name."""
    return {
        name: Region(name, fields["partition"], fields["zone_prefix"], tuple(fields["no_control_plane"]), source)
        for name, fields, source in _entries("regions.yaml", "regions")
    }


@cache
def offered(target: str) -> Mapping[str, tuple[str, ...]]:
    """Regions that offer an instance type for ``target`` (eks | hyperpod), by EC2 name of the type."""
    return {name: tuple(fields["regions"]) for name, fields, _ in _entries("regions.yaml", "offered", target)}


@cache
def hyperpod_without_agent() -> MissingRegions:
    """Regions that offer HyperPod instances, but for which the dependencies chart has no image of its health agent."""
    fields = read("regions.yaml")["hyperpod_without_agent"]
    return MissingRegions(tuple(fields["regions"]), origin(fields, "regions.yaml: hyperpod_without_agent"))


@cache
def kubernetes_versions() -> Mapping[str, KubernetesVersion]:
    """Kubernetes versions of EKS, oldest first."""
    return {
        name: KubernetesVersion(name, fields["standard_support_ends"], source)
        for name, fields, source in _entries("kubernetes.yaml", "versions")
    }


@cache
def hyperpod_kubernetes() -> VersionRange:
    """Kubernetes versions that a HyperPod cluster accepts."""
    fields = read("kubernetes.yaml")["hyperpod"]
    return VersionRange(fields["oldest"], fields["newest"], origin(fields, "kubernetes.yaml: hyperpod"))


@cache
def addons() -> Mapping[str, Addon]:
    """Add-ons by name."""
    return {
        name: Addon(name, fields["version"], fields["needs"], source)
        for name, fields, source in _entries("addons.yaml", "addons")
    }


@cache
def system_nodes() -> SystemNodes:
    """Nodes for controllers."""
    fields = read("nodes.yaml")["system_nodes"]
    return SystemNodes(fields["instance_type"], fields["count"], origin(fields, "nodes.yaml: system_nodes"))


@cache
def hyperpod_volume() -> Volume:
    """EBS volume of a HyperPod node."""
    fields = read("nodes.yaml")["hyperpod_volume"]
    return Volume(fields["size_gb"], origin(fields, "nodes.yaml: hyperpod_volume"))


@cache
def lustre() -> Lustre:
    """FSx for Lustre as a cache of the weights."""
    fields = read("storage.yaml")["lustre"]
    return Lustre(
        fields["smallest_gib"],
        fields["step_gib"],
        fields["throughput_mb_per_tib"],
        tuple(fields["throughputs_mb_per_tib"]),
        fields["reserve_percent"],
        origin(fields, "storage.yaml: lustre"),
    )


@cache
def engine_alarms() -> Mapping[str, EngineAlarms]:
    """Metrics and limits by engine, for those whose metrics are known."""
    return {
        name: EngineAlarms(
            fields["namespace"],
            fields["queue"],
            fields["queue_length"],
            fields["first_token"],
            fields["first_token_seconds"],
            source,
        )
        for name, fields, source in _entries("alarms.yaml", "engines")
    }


@cache
def examples() -> Mapping[str, str]:
    """Values that are only examples of documentation, with what they stand for."""
    return {name: fields["what"] for name, fields, _ in _entries("examples.yaml", "examples")}


@cache
def gp3() -> Gp3:
    """EBS volumes as a cache of the weights."""
    fields = read("storage.yaml")["gp3"]
    return Gp3(fields["iops"], fields["throughput_mb"], fields["reserve_percent"], origin(fields, "storage.yaml: gp3"))


@cache
def weights_caches() -> Mapping[str, WeightsCache]:
    """Speeds and settings by the kind of cache (instance-store | lustre | s3-stream | ebs)."""
    return {
        name: WeightsCache(name, fields["copy_gb_per_s"], fields["read_gb_per_s"], tuple(fields["arguments"]), source)
        for name, fields, source in _entries("startup.yaml", "caches")
    }


@cache
def compiling() -> Mapping[str, Minutes]:
    """How long the kernels of a model are compiled at the first start on a node, by repository id."""
    return {name: Minutes(fields["minutes"], source) for name, fields, source in _entries("startup.yaml", "compiling")}


@cache
def image_pull() -> Minutes:
    """How long a node pulls the engine's image that it never had."""
    fields = read("startup.yaml")["image_pull"]
    return Minutes(fields["minutes"], origin(fields, "startup.yaml: image_pull"))


@cache
def kubelet() -> Kubelet:
    """What a node keeps from its pods."""
    fields = read("nodes.yaml")["kubelet"]
    return Kubelet(
        fields["memory_overhead_percent"],
        fields["reserved_mib"],
        fields["reserved_mib_per_pod"],
        fields["eviction_mib"],
        fields["pods"],
        fields["reserved_cpu_m"],
        origin(fields, "nodes.yaml: kubelet"),
    )


@cache
def instance_store(target: str) -> str:
    """Where the NVMe disks of a node of ``target`` are mounted on the node."""
    fields = read("nodes.yaml")["instance_store"]
    origin(fields, "nodes.yaml: instance_store")
    path: str = fields[target]
    return path


@cache
def engine_options() -> Mapping[tuple[str, str], EngineOptions]:
    """Arguments and environment variables by engine and version, for the versions that are known."""
    found = {}
    for engine, versions in read("engine_options.yaml")["engines"].items():
        for version, fields in versions.items():
            source = origin(fields, f"engine_options.yaml: {engine} {version}")
            arguments, environment = frozenset(fields["arguments"]), frozenset(fields["environment"])
            found[engine, version] = EngineOptions(engine, version, arguments, environment, source)
    return found


#: Fields of an entry that say where it comes from; in ``engines.yaml`` they stand beside groups of metrics.
_ORIGIN: Final = ("source", "date", "mark")


@cache
def engine_metrics(engine: str) -> Mapping[str, EngineMetrics]:
    """Metrics of ``engine`` by its exact version; nothing for an engine that is not known."""
    if engine not in read("engines.yaml")["metrics"]:
        return {}
    return {
        version: EngineMetrics(
            tuple(
                Metric(name, kind, group)
                for group, metrics in fields.items()
                if group not in _ORIGIN
                for name, kind in metrics.items()
            ),
            source,
        )
        for version, fields, source in _entries("engines.yaml", "metrics", engine)
    }


@cache
def reasoning_fields() -> Mapping[str, ReasoningField]:
    """By engine, the field of an answer with the model's thoughts."""
    return {
        name: ReasoningField(fields["field"], fields["since"], fields["before"], source)
        for name, fields, source in _entries("engines.yaml", "reasoning")
    }
