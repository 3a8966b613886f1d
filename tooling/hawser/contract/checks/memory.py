"""Weights: are they the model's, and do they fit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hawser import facts
from hawser.contract.checks.licence import model_facts
from hawser.contract.checks.rule import pool_rule, rule
from hawser.contract.checks.topology import pool_instance, replica_gpus
from hawser.contract.draft import Draft, PoolDraft
from hawser.contract.memory import GIB, usable_per_gpu, weights_per_gpu
from hawser.contract.problems import Problem

#: Part by which the stated size may differ from the known one; revisions differ in a few small files.
_TOLERANCE: Final = 0.01


@rule("The stated size is the size of the model's weights.", "Memory, disks and load times are reckoned from it.")
def size(draft: Draft) -> Iterator[Problem]:
    """``weights.size_bytes``."""
    model = model_facts(draft)
    stated = draft.whole("weights", "size_bytes")
    if abs(stated - model.size_bytes) > _TOLERANCE * model.size_bytes:
        expected = f"about {model.size_bytes} ({model.size_bytes / 1e12:.3f} TB = {model.size_bytes / GIB:.1f} GiB)"
        found = f"{stated} ({stated / GIB:.1f} GiB)"
        yield draft.problem(("weights", "size_bytes"), expected, "write the sum of the weight files", found=found)


@rule(
    "The number of files is that of the model.", "A folder with a file too few loads without an error in some engines."
)
def files(draft: Draft) -> Iterator[Problem]:
    """``weights.file_count``."""
    model = model_facts(draft)
    if draft.whole("weights", "file_count") != model.file_count:
        yield draft.problem(("weights", "file_count"), f"{model.file_count}", f"write {model.file_count}")


@rule(
    "The precision is that of the checkpoint.",
    "The engine takes it from the checkpoint; there is no step that changes it.",
)
def precision(draft: Draft) -> Iterator[Problem]:
    """``weights.precision``."""
    model = model_facts(draft)
    if draft.text("weights", "precision") != model.precision:
        yield draft.problem(("weights", "precision"), f"{model.precision} for {model.id}", f"write {model.precision}")


@pool_rule(
    "The weights fit into the GPUs of one replica.", "The engine runs out of memory after half an hour of loading."
)
def fit(pool: PoolDraft) -> Iterator[Problem]:
    """Weights per GPU against the memory that the engine may take, for the nodes of each pool."""
    model, instance = model_facts(pool.draft), pool_instance(pool)
    stated = pool.draft.whole("weights", "size_bytes")
    utilization = pool.draft.number("serving", "gpu_memory_utilization")
    needed, usable = _needed_and_usable(pool)
    if needed > usable:
        found = (
            f"{instance.name}: {usable:.1f} GiB usable of each {instance.gpu} "
            f"({instance.gpu_mib / 1024:.1f} GiB at utilisation {utilization:g})"
        )
        expected = f"at least {needed:.1f} GiB per GPU for {stated / GIB:.1f} GiB of weights"
        fix = f"what fits {model.id}: {'; '.join(_fitting(model, stated, utilization))}"
        yield pool.problem("instance_type", expected, fix, found=found)


@pool_rule(
    "A replica has the nodes that the model's recipe asks for.", "The weights may fit, but cache and workspace do not."
)
def nodes(pool: PoolDraft) -> Iterator[Problem]:
    """``serving.gpus_per_replica`` against the smallest known topology for the pool's instance type."""
    model, instance = model_facts(pool.draft), pool_instance(pool)
    least = model.minimum_nodes.get(instance.name, 1)
    needed, usable = _needed_and_usable(pool)
    if needed <= usable and replica_gpus(pool.draft) < least * instance.gpus:
        expected = f"at least {least * instance.gpus} GPUs on {instance.name} (pool {pool.name})"
        fix = (
            f"spread a replica over {least} nodes, for example pipeline_parallel: {least}"
            if least > 1
            else f"take a whole node, for example tensor_parallel: {instance.gpus}"
        )
        found = f"{replica_gpus(pool.draft)}, by its three degrees"
        yield pool.draft.problem(("serving", "gpus_per_replica"), expected, fix, found=found)


def _needed_and_usable(pool: PoolDraft) -> tuple[float, float]:
    """GiB of weights on each GPU of the pool, and GiB that the engine may take there."""
    draft = pool.draft
    tensor, pipeline, expert = (draft.whole("serving", f"{kind}_parallel") for kind in ("tensor", "pipeline", "expert"))
    needed = weights_per_gpu(model_facts(draft), draft.whole("weights", "size_bytes"), tensor, pipeline, expert)
    usable = usable_per_gpu(pool_instance(pool), draft.number("serving", "gpu_memory_utilization"))
    return needed / GIB, usable / GIB


def _fitting(model: facts.ModelFacts, size_bytes: int, utilization: float) -> Iterator[str]:
    """The smallest topology on each instance type: whole nodes, one pipeline stage per node."""
    for name, least in model.minimum_nodes.items():
        instance = facts.instances()[name]
        usable = usable_per_gpu(instance, utilization)
        count = least
        while weights_per_gpu(model, size_bytes, instance.gpus, count, 1) > usable:
            count += 1
        stages = f", pipeline_parallel {count}" if count > 1 else ""
        yield f"{count} x {name} (tensor_parallel {instance.gpus}{stages})"
