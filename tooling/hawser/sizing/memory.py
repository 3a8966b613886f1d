"""Do the weights fit: memory per GPU of each capacity pool."""

from __future__ import annotations

from dataclasses import dataclass

from hawser import facts
from hawser.contract.deployment import Deployment
from hawser.contract.memory import usable_per_gpu, weights_per_gpu


@dataclass(frozen=True, slots=True)
class WeightsFit:
    """Bytes on one GPU of a pool: what the weights take and what the engine may take."""

    pool: str
    instance: facts.Instance
    weights: float
    usable: float

    @property
    def left(self) -> float:
        """Bytes per GPU for cache, activations, graphs and workspaces."""
        return self.usable - self.weights


def weights_fit(deployment: Deployment) -> tuple[WeightsFit, ...]:
    """One entry per pool, in the order of the pools. A valid deployment leaves room in each."""
    contract = deployment.contract
    model, serving = facts.models()[contract.model.id], contract.serving
    weights = weights_per_gpu(
        model,
        contract.weights.size_bytes,
        serving.tensor_parallel,
        serving.pipeline_parallel,
        serving.expert_parallel,
    )
    return tuple(
        WeightsFit(pool.name, instance, weights, usable_per_gpu(instance, serving.gpu_memory_utilization))
        for pool in deployment.environment.capacity.values()
        for instance in (facts.instances()[pool.instance_type],)
    )
