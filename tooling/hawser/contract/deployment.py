"""The deployment: contract and environment, validated, merged and frozen. The only thing the rest of the code sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Target = Literal["eks", "hyperpod"]
PoolKind = Literal["on-demand", "capacity-block", "training-plan", "odcr"]
SystemNodes = Literal["managed", "hyperpod-group"]
Level = Literal["advisory", "approval", "block"]


@dataclass(frozen=True, slots=True)
class Place:
    """A line in one of the two input files: ``environments/prod/env.yaml:14``."""

    file: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        """``file:line``, the form that editors and terminals link."""
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """Who accepted the model's licence, and for which use (internal | service)."""

    by: str
    use: str


@dataclass(frozen=True, slots=True)
class Model:
    """Which model: repository id, 40-hex revision, licence name."""

    id: str
    revision: str
    licence: str
    acknowledgement: Acknowledgement


@dataclass(frozen=True, slots=True)
class Image:
    """Which container: name without registry, digest ``sha256:…``, and what is in it."""

    name: str
    digest: str
    cuda: str
    communication: Mapping[str, str]
    engine_name: str
    engine_version: str
    entrypoint: tuple[str, ...]
    minimum_driver: str


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights: size in bytes, file count, checksum of the manifest, where they lie in the container."""

    size_bytes: int
    file_count: int
    manifest_sha256: str
    precision: str
    path: str
    cache: str


@dataclass(frozen=True, slots=True)
class Api:
    """The serving entry: protocol, port, paths by name (health, chat, models, metrics), served model name."""

    protocol: str
    port: int
    paths: Mapping[str, str]
    served_model_name: str


@dataclass(frozen=True, slots=True)
class Serving:
    """Topology of one replica and the engine's settings. Sizes count GPUs; times are minutes unless named."""

    gpus_per_replica: int
    tensor_parallel: int
    pipeline_parallel: int
    data_parallel: int
    expert_parallel: int
    max_model_len: int
    kv_cache_dtype: str
    gpu_memory_utilization: float
    tool_call_parser: str
    reasoning_parser: str
    extra_args: tuple[str, ...]
    shutdown_timeout_seconds: int
    first_boot_minutes: int
    warm_boot_minutes: int


@dataclass(frozen=True, slots=True)
class Contract:
    """What runs; the same everywhere."""

    model: Model
    image: Image
    weights: Weights
    api: Api
    serving: Serving


@dataclass(frozen=True, slots=True)
class Pool:
    """One capacity pool: a node group (eks) or an instance group (hyperpod). ``instance_type`` is the EC2 name."""

    name: str
    instance_type: str
    kind: PoolKind
    count: int
    zone_id: str
    reservation_id: str | None = None
    training_plan_arn: str | None = None
    start: datetime | None = None
    end: datetime | None = None


@dataclass(frozen=True, slots=True)
class Network:
    """Addresses: CIDR of the VPC, CIDR per zone id of each kind of subnet, and the way out (nat | endpoints)."""

    vpc_cidr: str
    node_subnets: Mapping[str, str]
    control_plane_subnets: Mapping[str, str]
    public_subnets: Mapping[str, str]
    egress: str


@dataclass(frozen=True, slots=True)
class Cluster:
    """The EKS cluster. No ``public_access_cidrs`` means that its endpoint is private only.

    ``system_nodes`` is what CoreDNS and controllers run on: a managed node group, or an instance group of HyperPod.
    """

    name: str
    kubernetes_version: str
    public_access_cidrs: tuple[str, ...]
    admin_principals: tuple[str, ...]
    system_nodes: SystemNodes


@dataclass(frozen=True, slots=True)
class ExistingPlatform:
    """A platform that hawser does not make: what stands in place of the outputs of the stack ``platform``.

    ``subnets_by_zone_id`` maps a zone id to the subnet of nodes and pods. ``cloudformation_role_arn`` is only needed
    by hyperpod.
    """

    cluster_name: str
    vpc_id: str
    subnets_by_zone_id: Mapping[str, str]
    cluster_security_group_id: str
    efa_security_group_id: str
    oidc_provider_arn: str
    data_kms_key_arn: str
    cloudformation_role_arn: str | None
    alerts_topic_arn: str | None
    host_log_group: str | None


@dataclass(frozen=True, slots=True)
class Ci:
    """The CI that may plan (jobs of ``branch`` and of pull requests) and apply (jobs of ``environments``).

    ``provider`` says whether bootstrap makes the OIDC provider of ``issuer``: create | existing.
    """

    issuer: str
    provider: str
    repository: str
    branch: str
    environments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class State:
    """Where Terraform's state lives: S3 bucket, key prefix, optionally its KMS key and the CI that reads it."""

    bucket: str
    key_prefix: str
    kms_key_arn: str | None
    ci: Ci | None


@dataclass(frozen=True, slots=True)
class Guardrails:
    """What the environment asks of a change: approvals, their age in hours, levels by rule id.

    And what a month of the account may cost, in USD, with the addresses that alarms are mailed to. ``approval_key`` is
    the SHA-256 (hex) of the DER of the public key that approvals must be signed with; ``None``: they are unsigned.
    """

    approvals: int
    approval_age_hours: int
    approval_key: str | None
    planner_may_approve: bool
    levels: Mapping[str, Level]
    destroy: Level
    monthly_budget_usd: int
    alarm_emails: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Environment:
    """Where it runs: on a platform that hawser makes of ``network`` and ``cluster``, or on an existing one.

    There is either ``existing``, or both ``network`` and ``cluster``.
    """

    name: str
    account_id: str
    region: str
    target: Target
    emulator: bool
    replicas: int
    registry: str
    weights_uri: str
    capacity: Mapping[str, Pool]
    network: Network | None
    cluster: Cluster | None
    existing: ExistingPlatform | None
    state: State
    guardrails: Guardrails
    tags: Mapping[str, str]
    #: dotted path of a contract field -> (value in the contract, value here), for every override
    overrides: Mapping[str, tuple[object, object]]

    @property
    def cluster_name(self) -> str:
        """Name of the EKS cluster, whoever made it."""
        named = self.existing.cluster_name if self.existing else self.cluster and self.cluster.name
        assert named
        return named

    @property
    def node_zones(self) -> tuple[str, ...]:
        """Zone ids that have a subnet for nodes, sorted."""
        subnets = self.existing.subnets_by_zone_id if self.existing else self.network and self.network.node_subnets
        return tuple(sorted(subnets or ()))


@dataclass(frozen=True, slots=True)
class Deployment:
    """The merge of both files, valid as a whole.

    ``places`` maps a dotted path (``serving.max_model_len`` of the contract, ``capacity.k3-block-a.count`` of the
    environment; an overridden contract field points into env.yaml) to the line that gives it.
    ``digest`` is the SHA-256 (hex) of the canonical JSON of contract and environment, comments and order left out.
    ``examples`` are the dotted paths whose values are only documentation-style examples.
    """

    contract: Contract
    environment: Environment
    places: Mapping[str, Place]
    digest: str
    examples: tuple[str, ...]

    @property
    def gpus_needed(self) -> int:
        """Accelerators that all replicas need together."""
        return self.environment.replicas * self.contract.serving.gpus_per_replica

    def place(self, path: str) -> Place | None:
        """The line that gives ``path``, or of its nearest parent that has one."""
        parts = path.split(".")
        while parts:
            if found := self.places.get(".".join(parts)):
                return found
            parts.pop()
        return None
