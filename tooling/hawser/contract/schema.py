"""The shape of the input files: pydantic models, and the JSON Schema that editors get from the same models.

What one field must look like stands here; what fields must be to each other stands in ``checks/``.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from hawser.contract.deployment import Level, PoolKind, SystemNodes, Target
from hawser.contract.wording import (
    ACCOUNT,
    ADDRESS,
    BRANCH,
    BUCKET,
    CI_ENVIRONMENT,
    CI_REPOSITORY,
    CLUSTER,
    CUDA,
    DAY,
    DIGEST,
    DRIVER,
    EKS_CLUSTER,
    ENVIRONMENT,
    IMAGE,
    ISSUER,
    KEY_PREFIX,
    KUBERNETES,
    NONEMPTY,
    PATH,
    POOL,
    REGISTRY,
    REVISION,
    RULE,
    S3_URI,
    SECURITY_GROUP,
    SERVED_NAME,
    SHA256,
    SUBNET,
    TIME,
    VERSION,
    VPC,
)

Text = Annotated[str, StringConstraints(pattern=NONEMPTY, max_length=2048)]
Stack = Literal["bootstrap", "platform", "eks", "hyperpod"]


def _matches(pattern: str) -> Any:
    return StringConstraints(pattern=pattern)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class AcknowledgementModel(_Strict):
    """Who accepted the model's licence, and for which use."""

    by: Annotated[str, _matches(ADDRESS)]
    """E-mail address of the person or team that read the licence."""
    use: Literal["internal", "service"]
    """internal: only your own people use it. service: others get inference."""


class ModelModel(_Strict):
    """Which model."""

    id: Text
    """Repository id on the hub, for example moonshotai/Kimi-K3."""
    revision: Annotated[str, _matches(REVISION)]
    """Commit of the repository: 40 hex digits, never a branch."""
    licence: Text
    """Name of the licence."""
    acknowledgement: AcknowledgementModel


class EngineModel(_Strict):
    """The inference engine in the image."""

    name: Text
    """Name of the engine, for example vllm."""
    version: Annotated[str, _matches(VERSION)]
    """Its version, in quotes."""


class ImageModel(_Strict):
    """Which container image. It is mirrored into each environment's registry under this name."""

    name: Annotated[str, _matches(IMAGE)]
    """Name without registry and without tag."""
    digest: Annotated[str, _matches(DIGEST)]
    """sha256: and 64 hex digits. Tags can be moved, so none is accepted."""
    cuda: Annotated[str, _matches(CUDA)]
    """CUDA version in the image, in quotes."""
    communication: Annotated[dict[str, Annotated[str, _matches(VERSION)]], Field(min_length=1)]
    """Versions of the communication libraries in the image, in quotes."""
    engine: EngineModel
    entrypoint: Annotated[list[Text], Field(min_length=1)]
    """Command of the container, one word per item."""
    minimum_driver: Annotated[str, _matches(DRIVER)]
    """Oldest NVIDIA driver branch that the image works with, in quotes."""


class WeightsModel(_Strict):
    """The weights."""

    size_bytes: Annotated[int, Field(ge=1)]
    """Sum of the weight files in bytes."""
    file_count: Annotated[int, Field(ge=1)]
    """Number of weight files."""
    manifest_sha256: Annotated[str, _matches(SHA256)]
    """SHA-256 of the manifest that lists every file with its size and checksum."""
    precision: Literal["mxfp4", "nvfp4", "fp8", "bf16"]
    """Form of the weights on disk."""
    path: Annotated[str, _matches(PATH)]
    """Folder of the weights in the container."""
    cache: Literal["instance-store", "lustre", "s3-stream", "ebs"]
    """Where a node keeps the weights between restarts."""


class PathsModel(_Strict):
    """Paths of the API."""

    health: Annotated[str, _matches(PATH)]
    """Answers 200 when the engine is ready."""
    chat: Annotated[str, _matches(PATH)]
    """Chat completions."""
    models: Annotated[str, _matches(PATH)]
    """List of served models."""
    metrics: Annotated[str, _matches(PATH)]
    """Prometheus metrics."""


class ApiModel(_Strict):
    """The serving entry."""

    protocol: Literal["openai"]
    """Shape of requests and answers."""
    port: Annotated[int, Field(ge=1024, le=65535)]
    """Port of the container; above 1023, so that it needs no privilege."""
    paths: PathsModel
    served_model_name: Annotated[str, _matches(SERVED_NAME)]
    """Name that clients send in `model`."""


class ServingModel(_Strict):
    """Topology of one replica and settings of the engine."""

    gpus_per_replica: Annotated[int, Field(ge=1, le=4096)]
    """tensor_parallel * pipeline_parallel * data_parallel."""
    tensor_parallel: Annotated[int, Field(ge=1, le=4096)]
    """GPUs that share each layer."""
    pipeline_parallel: Annotated[int, Field(ge=1, le=4096)]
    """Groups of layers, one after the other."""
    data_parallel: Annotated[int, Field(ge=1, le=4096)]
    """Copies of the attention part inside one replica."""
    expert_parallel: Annotated[int, Field(ge=1, le=4096)]
    """GPUs over which the experts are spread; 1: they are not."""
    max_model_len: Annotated[int, Field(ge=1)]
    """Longest sequence in tokens, prompt and answer together."""
    kv_cache_dtype: Literal["auto", "bf16", "fp8"]
    """Form of the key-value cache."""
    gpu_memory_utilization: Annotated[float, Field(ge=0.5, le=0.98)]
    """Part of the GPU memory that the engine may take."""
    tool_call_parser: Text
    """Name of the engine's parser for tool calls."""
    reasoning_parser: Text
    """Name of the engine's parser for reasoning."""
    extra_args: list[Text]
    """Further arguments of the engine, one word per item."""
    shutdown_timeout_seconds: Annotated[int, Field(ge=0, le=7200)]
    """How long the engine finishes running requests before it stops."""
    first_boot_minutes: Annotated[int, Field(ge=1, le=600)]
    """Longest time until the first start on a new node is ready (kernels are compiled)."""
    warm_boot_minutes: Annotated[int, Field(ge=1, le=600)]
    """Longest time until a later start is ready."""


class ContractModel(_Strict):
    """The contract: what runs. The same in every environment."""

    model: ModelModel
    image: ImageModel
    weights: WeightsModel
    api: ApiModel
    serving: ServingModel


class PoolModel(_Strict):
    """One capacity pool: a node group on eks, an instance group on hyperpod."""

    instance_type: Text
    """EC2 name of the instance type, also for hyperpod (hawser adds `ml.`)."""
    kind: PoolKind
    """Where the instances come from. capacity-block and odcr: eks only. training-plan: hyperpod only."""
    count: Annotated[int, Field(ge=1, le=1000)]
    """Number of instances."""
    zone_id: Text
    """Zone id of the reservation (usw2-az2), not a zone name (us-west-2b)."""
    reservation_id: Text | None = None
    """cr-...; for capacity-block and odcr."""
    training_plan_arn: Text | None = None
    """ARN of the training plan; for training-plan."""
    start: Annotated[str, _matches(TIME)] | None = None
    """Start in UTC, in quotes; for capacity-block and training-plan."""
    end: Annotated[str, _matches(TIME)] | None = None
    """End in UTC, in quotes; for capacity-block and training-plan."""


class NetworkModel(_Strict):
    """Address ranges by zone id, and the way out."""

    vpc_cidr: Text
    """Range of the VPC, /16 to /28."""
    node_subnets: Annotated[dict[str, Text], Field(min_length=1)]
    """Zone id to range, /20 or larger: one for each zone that has a pool."""
    control_plane_subnets: Annotated[dict[str, Text], Field(min_length=1)]
    """Zone id to range, /27 or larger: at least two zones."""
    public_subnets: dict[str, Text]
    """Zone id to range, for the NAT gateways; {} when egress is endpoints."""
    egress: Literal["nat", "endpoints"]
    """nat: through NAT gateways. endpoints: no way out but VPC endpoints."""


class ClusterModel(_Strict):
    """The EKS cluster."""

    name: Annotated[str, _matches(CLUSTER)]
    """Name of the cluster; role names are built from it."""
    kubernetes_version: Annotated[str, _matches(KUBERNETES)]
    """Minor version, in quotes."""
    public_access_cidrs: list[Text]
    """Ranges that may reach the public endpoint; []: private endpoint only."""
    admin_principals: Annotated[list[Text], Field(min_length=1)]
    """ARNs of the IAM roles or users that administer the cluster."""
    system_nodes: SystemNodes | None = None
    """Where CoreDNS and controllers run. managed (also when left out): a managed node group, made by platform.
    hyperpod-group: an instance group of the HyperPod cluster; hyperpod only."""


class SecurityGroupsModel(_Strict):
    """Security groups that every GPU node gets, both of them."""

    cluster: Annotated[str, _matches(SECURITY_GROUP)]
    """Security group that EKS made for the cluster: nodes reach the Kubernetes API with it."""
    efa: Annotated[str, _matches(SECURITY_GROUP)]
    """Another one, which lets everything through between its own members, in both directions: EFA needs that."""


class ExistingModel(_Strict):
    """What stands in place of the outputs of the stack `platform`."""

    cluster_name: Annotated[str, _matches(EKS_CLUSTER)]
    """Name of the EKS cluster; role names are built from it."""
    vpc_id: Annotated[str, _matches(VPC)]
    """VPC of the cluster."""
    subnets_by_zone_id: Annotated[dict[str, Annotated[str, _matches(SUBNET)]], Field(min_length=1)]
    """Zone id to private subnet of nodes and pods: one for each zone that has a pool."""
    security_group_ids: SecurityGroupsModel
    oidc_provider_arn: Text
    """ARN of the cluster's OIDC provider, for controllers that do not know pod identity."""
    data_kms_key_arn: Text
    """ARN of the KMS key that encrypts node volumes, schedules and buckets."""
    cloudformation_role_arn: Text | None = None
    """ARN of the role with which CloudFormation makes the HyperPod cluster; for hyperpod."""
    alerts_topic_arn: Text | None = None
    """ARN of the SNS topic that alarms and notices are sent to; without one nothing is watched."""
    host_log_group: Text | None = None
    """Log group of the nodes' own logs; the CloudWatch add-on's for this cluster where it is left out."""


class PlatformModel(_Strict):
    """The platform that is there already."""

    existing: ExistingModel


class CiModel(_Strict):
    """The CI that may plan and apply, by OpenID Connect; bootstrap makes its roles."""

    issuer: Annotated[str, _matches(ISSUER)]
    """Address of the CI's tokens, for example https://token.actions.githubusercontent.com."""
    provider: Literal["create", "existing"]
    """create: bootstrap makes the OIDC provider. existing: the account has one for this issuer (one per account)."""
    repository: Annotated[str, _matches(CI_REPOSITORY)]
    """owner/name as the sub claim gives it; owner@id/name@id where subjects are immutable."""
    branch: Annotated[str, _matches(BRANCH)]
    """Branch whose jobs may plan, beside those of pull requests."""
    environments: Annotated[list[Annotated[str, _matches(CI_ENVIRONMENT)]], Field(min_length=1)]
    """Protected environments of the CI whose jobs may apply."""


class StateModel(_Strict):
    """Where Terraform's state lies."""

    bucket: Annotated[str, _matches(BUCKET)]
    """S3 bucket; in an emulator environment hawser-emulator-state."""
    key_prefix: Annotated[str, _matches(KEY_PREFIX)]
    """Folder in the bucket; ends with the environment's name."""
    kms_key_arn: Text | None = None
    """KMS key that encrypts the state; left out: the bucket's own encryption."""
    ci: CiModel | None = None
    """The CI that may plan and apply; left out: bootstrap makes no roles for one."""


class GuardrailsModel(_Strict):
    """What a change in this environment needs."""

    approvals: Annotated[int, Field(ge=0, le=5)]
    """People who must approve a plan before it is applied."""
    approval_age_hours: Annotated[int, Field(ge=1, le=168)]
    """How long an approval is good."""
    approval_key: Annotated[str, _matches(SHA256)] | None = None
    """SHA-256 of the public key of bootstrap that signs approvals; left out: approvals are unsigned, names only."""
    planner_may_approve: bool = True
    """false: whoever planned does not approve as well; needs approval_key."""
    levels: dict[Annotated[str, _matches(RULE)], Level]
    """Rule id to level, where it differs from the rule's own."""
    destroy: Level
    """What destroying needs: advisory (nothing), approval, or block (never)."""
    monthly_budget_usd: Annotated[int, Field(ge=1)]
    """What a month of the account may cost, in USD; alarm_emails are told at 80 % and at 100 %."""
    alarm_emails: list[Annotated[str, _matches(ADDRESS)]] = []
    """Who gets the alarms by mail, after following the link in a first mail; left out: nobody."""


class EnvironmentModel(_Strict):
    """An environment: where the contract runs.

    Either hawser makes the platform of `network` and `cluster`, or `platform` names one that is there already.
    """

    name: Annotated[str, _matches(ENVIRONMENT)]
    """Name of the folder that holds this file."""
    account_id: Annotated[str, _matches(ACCOUNT)]
    """AWS account: 12 digits, in quotes."""
    region: Text
    """AWS region."""
    target: Target
    """eks: EKS with EC2 capacity. hyperpod: SageMaker HyperPod orchestrated by EKS."""
    emulator: bool
    """true: applied to the embedded emulator, never to AWS."""
    replicas: Annotated[int, Field(ge=1, le=1000)]
    """Copies of the model that serve."""
    registry: Annotated[str, _matches(REGISTRY)]
    """Registry that holds the mirrored image."""
    weights_uri: Annotated[str, _matches(S3_URI)]
    """s3://bucket/prefix of the weights, in the same region."""
    capacity: Annotated[dict[Annotated[str, _matches(POOL)], PoolModel], Field(min_length=1)]
    """Pools by name."""
    network: NetworkModel | None = None
    """The network that hawser makes; left out with `platform`."""
    cluster: ClusterModel | None = None
    """The EKS cluster that hawser makes; left out with `platform`."""
    platform: PlatformModel | None = None
    """The platform that is there already, in place of `network` and `cluster`."""
    state: StateModel
    guardrails: GuardrailsModel
    tags: dict[str, str]
    """Tags of every resource."""
    overrides: dict[str, Any]
    """Fields of the contract that differ here, nested like contract.yaml."""


class MadePlatformModel(EnvironmentModel):
    """An environment whose platform hawser makes, so that both parts of it are required."""

    network: NetworkModel
    cluster: ClusterModel


class ExistingPlatformModel(EnvironmentModel):
    """An environment on an existing platform. ``checks/existing.py`` refuses both parts as a whole."""

    network: Any = None
    cluster: Any = None


class WaiverModel(_Strict):
    """A reviewed exception for one rule at one exact address."""

    rule: Annotated[str, _matches(RULE)]
    """Rule id."""
    address: Text
    """Exact address of the resource."""
    owner: Annotated[str, _matches(ADDRESS)]
    """E-mail address of the person or team that answers for it."""
    reason: Text
    """Why the exception is acceptable."""
    expires: Annotated[str, _matches(DAY)]
    """Last day, in quotes, at most 90 days ahead."""
    stack: Stack | None = None
    """The stack that the address is in; left out: any, and plans of stacks without it say that it matches nothing."""


class BreakGlassModel(_Strict):
    """An emergency: what rules forbid in one stack goes to approval by somebody else, for hours."""

    by: Annotated[str, _matches(ADDRESS)]
    """E-mail address of the person who breaks the glass; their own approval does not count."""
    reason: Text
    """What cannot wait, and where it is written up."""
    stack: Stack
    """The one stack that it is for."""
    rules: Annotated[list[Annotated[str, _matches(RULE)]], Field(min_length=1, max_length=10)]
    """Ids of the rules that deny what must be done."""
    until: Annotated[str, _matches(TIME)]
    """When it ends, in UTC and in quotes, at most 12 hours ahead."""


class WaiversModel(_Strict):
    """Waivers of one environment."""

    waivers: list[WaiverModel]
    """Reviewed exceptions; [] when there are none."""
    break_glass: BreakGlassModel | None = None
    """An emergency; left out when there is none, and taken out again when it is over."""


_NOTE: Final = "Generated by hawser schema. Do not edit."

#: What the two models of an environment and ``checks/existing.py`` say, for editors.
_EITHER_PLATFORM: Final = {
    "if": {"required": ["platform"]},
    "then": {"properties": {"network": False, "cluster": False}},
    "else": {"required": ["network", "cluster"]},
}


def json_schemas() -> dict[str, bytes]:
    """JSON Schemas for editors by file name; the same bytes for the same models."""
    contract = _schema(ContractModel)
    environment = _schema(EnvironmentModel)
    environment |= _EITHER_PLATFORM
    overrides = environment["properties"]["overrides"]
    environment["properties"]["overrides"] = {**_optional(contract), "description": overrides["description"]}
    environment["$defs"] |= {f"{name}Override": _optional(part) for name, part in contract["$defs"].items()}
    schemas = {"contract": contract, "env": environment, "waivers": _schema(WaiversModel)}
    return {f"{name}.schema.json": _bytes(schema) for name, schema in schemas.items()}


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of ``model``, with the text below each field as its description."""
    schema = model.model_json_schema()
    texts = _field_texts()
    for name, part in ((model.__name__, schema), *schema.get("$defs", {}).items()):
        for field, about in part["properties"].items():
            if text := texts.get((name, field)):
                about["description"] = text
    return schema


def _field_texts() -> dict[tuple[str, str], str]:
    """The string that follows each field in this file, by class and field. Read only when a schema is asked for."""
    texts = {}
    for node in ast.parse(Path(__file__).read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.ClassDef):
            continue
        for field, text in zip(node.body, node.body[1:], strict=False):
            if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(field.target, ast.Name):
                texts[node.name, field.target.id] = ast.literal_eval(text.value)
    return texts


def _optional(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The same object schema with nothing required: what an override may hold."""
    shape = {key: value for key, value in schema.items() if key not in {"required", "$defs"}}
    found = json.loads(json.dumps(shape), object_hook=_to_override)
    assert isinstance(found, dict)
    return found


def _to_override(found: dict[str, Any]) -> dict[str, Any]:
    return {key: f"{value}Override" if key == "$ref" else value for key, value in found.items()}


def _bytes(schema: Mapping[str, Any]) -> bytes:
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$comment": _NOTE, **_plainer(schema)}
    return (json.dumps(whole, indent=2, ensure_ascii=False) + "\n").encode()


def _plainer(schema: Any) -> Any:
    """Without pydantic's titles (they repeat the names) and without null: a field that is optional is left out."""
    if isinstance(schema, list):
        return [_plainer(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "anyOf" in schema:
        (only,) = [choice for choice in schema["anyOf"] if choice != {"type": "null"}]
        schema = {**{key: value for key, value in schema.items() if key not in {"anyOf", "default"}}, **only}
    if "patternProperties" in schema:
        schema = {**schema, "additionalProperties": False}
    return {key: _plainer(value) for key, value in schema.items() if not (key == "title" and isinstance(value, str))}
