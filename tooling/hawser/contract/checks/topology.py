"""Parallelism: how one replica is spread over GPUs and nodes."""

from __future__ import annotations

from collections.abc import Iterator

from hawser import facts
from hawser.contract.checks.licence import model_facts
from hawser.contract.checks.rule import pool_rule, rule
from hawser.contract.draft import Draft, PoolDraft, UnavailableError
from hawser.contract.problems import Problem


def pool_instance(pool: PoolDraft) -> facts.Instance:
    """Facts of a pool's instance type. Raises ``UnavailableError`` when it is not a known type."""
    found = facts.instances().get(pool.text("instance_type"))
    if found is None:
        raise UnavailableError
    return found


def replica_gpus(draft: Draft) -> int:
    """GPUs of one replica, by its three degrees: what ``gpus_per_replica`` says when it is right."""
    tensor, pipeline, data = (draft.whole("serving", f"{kind}_parallel") for kind in ("tensor", "pipeline", "data"))
    return tensor * pipeline * data


@rule("gpus_per_replica is the product of the three degrees.", "The engine starts exactly that many workers, or none.")
def product(draft: Draft) -> Iterator[Problem]:
    """``serving.gpus_per_replica``."""
    tensor, pipeline, data = (draft.whole("serving", f"{kind}_parallel") for kind in ("tensor", "pipeline", "data"))
    right = replica_gpus(draft)
    if draft.whole("serving", "gpus_per_replica") != right:
        expected = f"{right} = tensor_parallel {tensor} * pipeline_parallel {pipeline} * data_parallel {data}"
        yield draft.problem(("serving", "gpus_per_replica"), expected, f"write {right}, or change a degree")


@rule(
    "expert_parallel divides tensor_parallel * data_parallel.", "Experts can only be spread over ranks that there are."
)
def experts(draft: Draft) -> Iterator[Problem]:
    """``serving.expert_parallel``."""
    ranks = draft.whole("serving", "tensor_parallel") * draft.whole("serving", "data_parallel")
    if ranks % draft.whole("serving", "expert_parallel"):
        expected = f"a divisor of tensor_parallel * data_parallel = {ranks}"
        yield draft.problem(("serving", "expert_parallel"), expected, f"write 1 or {ranks}")


@rule(
    "tensor_parallel divides the model's attention heads.",
    "Each GPU takes whole heads; the engine refuses to split one.",
)
def heads(draft: Draft) -> Iterator[Problem]:
    """``serving.tensor_parallel``."""
    model = model_facts(draft)
    tensor = draft.whole("serving", "tensor_parallel")
    if model.attention_heads % tensor:
        divisors = (d for d in range(1, model.attention_heads + 1) if model.attention_heads % d == 0)
        near = min(divisors, key=lambda d: (abs(d - tensor), -d))
        expected = f"a divisor of the {model.attention_heads} attention heads of {model.id}"
        yield draft.problem(("serving", "tensor_parallel"), expected, f"write {near}")


@pool_rule(
    "Without pipeline stages a layer's GPUs are all in one node.",
    "Tensor parallelism over the network is several times slower than over NVLink.",
)
def tensor_in_a_node(pool: PoolDraft) -> Iterator[Problem]:
    """``serving.tensor_parallel`` against the GPUs of each pool's nodes."""
    instance = pool_instance(pool)
    tensor = pool.draft.whole("serving", "tensor_parallel")
    if pool.draft.whole("serving", "pipeline_parallel") == 1 and tensor > instance.gpus:
        expected = f"at most {instance.gpus}, the GPUs of one {instance.name} (pool {pool.name})"
        fix = f"write {instance.gpus}, and pipeline_parallel {-(-tensor // instance.gpus)}"
        yield pool.draft.problem(("serving", "tensor_parallel"), expected, fix)


@rule("The longest sequence is within the model's context.", "Positions beyond it were never trained.")
def context(draft: Draft) -> Iterator[Problem]:
    """``serving.max_model_len``."""
    model = model_facts(draft)
    if draft.whole("serving", "max_model_len") > model.context:
        expected = f"at most {model.context} tokens, the context of {model.id}"
        yield draft.problem(("serving", "max_model_len"), expected, f"write {model.context} or less")


@rule("A warm start is not slower than a first one.", "The shorter limit would end every restart.")
def boots(draft: Draft) -> Iterator[Problem]:
    """``serving.warm_boot_minutes``."""
    first = draft.whole("serving", "first_boot_minutes")
    if draft.whole("serving", "warm_boot_minutes") > first:
        fix = "exchange the two numbers"
        yield draft.problem(("serving", "warm_boot_minutes"), f"at most first_boot_minutes ({first})", fix)
