"""How much of a GPU's memory the weights take, by arithmetic alone."""

from __future__ import annotations

from typing import Final

from hawser import facts

GIB: Final = 1 << 30
MIB: Final = 1 << 20


def weights_per_gpu(model: facts.ModelFacts, size_bytes: int, tensor: int, pipeline: int, expert: int) -> float:
    """Bytes of weights on each GPU.

    Everything is split over tensor and pipeline ranks; experts are split over expert ranks instead of tensor ranks when
    there are more of those (``expert`` > ``tensor``). Data-parallel ranks hold copies, so they do not count. A lower
    bound: engines replicate some small tensors on every rank (measured on p6-b300: 6 % more).
    """
    experts = size_bytes * model.expert_bytes / model.size_bytes
    return experts / (max(tensor, expert) * pipeline) + (size_bytes - experts) / (tensor * pipeline)


def usable_per_gpu(instance: facts.Instance, utilization: float) -> float:
    """Bytes of one GPU that the engine may take."""
    return instance.gpu_mib * MIB * utilization
