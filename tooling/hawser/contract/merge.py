"""From the two input files to the deployment, or to everything that is wrong with them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from hawser.contract.checks.neighbours import neighbour_problems
from hawser.contract.checks.registry import check
from hawser.contract.deployment import (
    Acknowledgement,
    Api,
    Ci,
    Cluster,
    Contract,
    Deployment,
    Environment,
    ExistingPlatform,
    Guardrails,
    Image,
    Model,
    Network,
    Place,
    Pool,
    Serving,
    State,
    Weights,
)
from hawser.contract.draft import Draft, parse_time
from hawser.contract.examples import example_in
from hawser.contract.load import Scalar, Source, Table, read_source, walk
from hawser.contract.names import CONTRACT_FILE, FOLDER, environment_names, require_environment
from hawser.contract.overrides import apply_overrides
from hawser.contract.problems import ContractError, nearest
from hawser.contract.schema import (
    CiModel,
    ClusterModel,
    ContractModel,
    EnvironmentModel,
    ExistingModel,
    ExistingPlatformModel,
    MadePlatformModel,
    PoolModel,
)
from hawser.contract.shape import check_shape


def load_deployment(root: Path, env: str) -> Deployment:
    """The deployment of environment ``env`` in the checkout at ``root``.

    Raises ``UsageError`` when there is no such environment, and ``ContractError`` with every problem of both files,
    and of the environment beside the others of its account and region.
    """
    require_environment(root, env)
    contract = read_source(root / CONTRACT_FILE, CONTRACT_FILE)
    environments = {name: _read_environment(root, name) for name in environment_names(root)}
    drafts = {name: Draft(name, contract.root, source.root, ()) for name, source in environments.items()}
    beside = list(neighbour_problems(drafts.pop(env), drafts.values()))
    try:
        deployment = build(contract, environments[env], env)
    except ContractError as error:
        raise ContractError([*error.problems, *beside]) from None
    if beside:
        raise ContractError(beside)
    return deployment


def _read_environment(root: Path, env: str) -> Source:
    file = f"{FOLDER}/{env}/env.yaml"
    return read_source(root / file, file)


def build(contract: Source, environment: Source, env: str) -> Deployment:
    """The deployment made of two parsed files; ``env`` is the folder's name. Raises ``ContractError``."""
    problems = [*contract.problems, *environment.problems]
    bad: set[tuple[str, ...]] = set()
    there = _names_a_platform(environment.root)
    if there:
        bad |= {("network",), ("cluster",)}  # they must not be there, so their insides do not matter
    for source, model in (
        (contract, ContractModel),
        (environment, ExistingPlatformModel if there else MadePlatformModel),
    ):
        if source.root is not None:
            shape = check_shape(model, source.root)
            problems += shape.problems
            bad |= shape.bad
    merged, overridden = contract.root, {}
    if contract.root is not None and (overrides := _overrides(environment.root)):
        result = apply_overrides(contract.root, overrides)
        shape = check_shape(ContractModel, result.root)
        problems += [*result.problems, *(p for p in shape.problems if p.place.file == environment.file)]
        # What the environment overrides well-formed is good, whatever the contract holds there.
        bad = {path for path in bad if ".".join(path) not in result.values} | shape.bad
        merged, overridden = result.root, dict(result.values)
    problems += check(Draft(env, merged, environment.root, bad))
    if problems or merged is None or environment.root is None:
        raise ContractError(problems)
    return _deployment(merged, environment.root, overridden, _digest(contract.root, environment.root))


def _names_a_platform(environment: Table | None) -> bool:
    """Also when it is misspelt: that network and cluster are missing would be the wrong thing to say then."""
    known = EnvironmentModel.model_fields
    names = environment.entries if environment else ()
    return any(name == "platform" or (name not in known and nearest(name, known) == "platform") for name in names)


def _overrides(environment: Table | None) -> Table | None:
    if environment is None or "overrides" not in environment.entries:
        return None
    node = environment.entries["overrides"][1]
    return node if isinstance(node, Table) and node.entries else None


def _digest(contract: Table | None, environment: Table) -> str:
    assert contract is not None
    whole = {
        "contract": ContractModel.model_validate(contract.plain()).model_dump(mode="json"),
        "environment": EnvironmentModel.model_validate(environment.plain()).model_dump(mode="json", exclude_none=True),
    }
    text = json.dumps(whole, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _deployment(
    contract: Table, environment: Table, overridden: Mapping[str, tuple[object, object]], digest: str
) -> Deployment:
    places: dict[str, Place] = {}
    examples = []
    for table in (contract, environment):
        for path, place, node in walk(table):
            dotted = ".".join(path)
            places[dotted] = place
            if isinstance(node, Scalar) and example_in(node.text):
                examples.append(dotted)
    return Deployment(
        contract=_contract(ContractModel.model_validate(contract.plain())),
        environment=_environment(EnvironmentModel.model_validate(environment.plain()), overridden),
        places=places,
        digest=digest,
        examples=tuple(sorted(examples)),
    )


def _contract(model: ContractModel) -> Contract:
    acknowledgement = model.model.acknowledgement
    return Contract(
        model=Model(
            id=model.model.id,
            revision=model.model.revision,
            licence=model.model.licence,
            acknowledgement=Acknowledgement(by=acknowledgement.by, use=acknowledgement.use),
        ),
        image=Image(
            name=model.image.name,
            digest=model.image.digest,
            cuda=model.image.cuda,
            communication=model.image.communication,
            engine_name=model.image.engine.name,
            engine_version=model.image.engine.version,
            entrypoint=tuple(model.image.entrypoint),
            minimum_driver=model.image.minimum_driver,
        ),
        weights=Weights(**model.weights.model_dump()),
        api=Api(
            protocol=model.api.protocol,
            port=model.api.port,
            paths=model.api.paths.model_dump(),
            served_model_name=model.api.served_model_name,
        ),
        serving=Serving(**{**model.serving.model_dump(), "extra_args": tuple(model.serving.extra_args)}),
    )


def _environment(model: EnvironmentModel, overridden: Mapping[str, tuple[object, object]]) -> Environment:
    return Environment(
        name=model.name,
        account_id=model.account_id,
        region=model.region,
        target=model.target,
        emulator=model.emulator,
        replicas=model.replicas,
        registry=model.registry,
        weights_uri=model.weights_uri,
        capacity={name: _pool(name, model.capacity[name]) for name in sorted(model.capacity)},
        network=Network(**model.network.model_dump()) if model.network else None,
        cluster=_cluster(model.cluster) if model.cluster else None,
        existing=_existing(model.platform.existing) if model.platform else None,
        state=State(
            bucket=model.state.bucket,
            key_prefix=model.state.key_prefix,
            kms_key_arn=model.state.kms_key_arn,
            ci=_ci(model.state.ci) if model.state.ci else None,
        ),
        guardrails=Guardrails(
            **{**model.guardrails.model_dump(), "alarm_emails": tuple(model.guardrails.alarm_emails)}
        ),
        tags=model.tags,
        overrides=overridden,
    )


def _cluster(model: ClusterModel) -> Cluster:
    return Cluster(
        name=model.name,
        kubernetes_version=model.kubernetes_version,
        public_access_cidrs=tuple(model.public_access_cidrs),
        admin_principals=tuple(model.admin_principals),
        system_nodes=model.system_nodes or "managed",
    )


def _existing(model: ExistingModel) -> ExistingPlatform:
    return ExistingPlatform(
        cluster_name=model.cluster_name,
        vpc_id=model.vpc_id,
        subnets_by_zone_id=model.subnets_by_zone_id,
        cluster_security_group_id=model.security_group_ids.cluster,
        efa_security_group_id=model.security_group_ids.efa,
        oidc_provider_arn=model.oidc_provider_arn,
        data_kms_key_arn=model.data_kms_key_arn,
        cloudformation_role_arn=model.cloudformation_role_arn,
        alerts_topic_arn=model.alerts_topic_arn,
        host_log_group=model.host_log_group,
    )


def _ci(model: CiModel) -> Ci:
    return Ci(**{**model.model_dump(), "environments": tuple(sorted(model.environments))})


def _pool(name: str, model: PoolModel) -> Pool:
    return Pool(
        name=name,
        instance_type=model.instance_type,
        kind=model.kind,
        count=model.count,
        zone_id=model.zone_id,
        reservation_id=model.reservation_id,
        training_plan_arn=model.training_plan_arn,
        start=parse_time(model.start) if model.start else None,
        end=parse_time(model.end) if model.end else None,
    )
