"""What the objects of a deployment are called, so that each is found from every other."""

from __future__ import annotations

import re
from typing import Final

from hawser.contract.deployment import Deployment

#: Where the model server runs, and under which service account: the one that has the pod identity for the weights.
NAMESPACE: Final = "serving"
SERVICE_ACCOUNT: Final = "model"

#: What says that a namespace may call the model.
CLIENT_LABEL: Final = "hawser/may-call-model"

PORT: Final = "http"
PROGRESS_PORT: Final = "progress"
#: Where the copier of the weights tells how far it is.
PROGRESS_PORT_NUMBER: Final = 9400

#: Kubernetes gives every container of a namespace VLLM_PORT=tcp://… for a Service named `vllm`, and the engine reads it
#: as a number (vLLM issue 34199); the same for names that begin so.
_TAKEN: Final = "vllm"


def app(deployment: Deployment) -> str:
    """The name of the model server: the served model's, as Kubernetes takes it."""
    name = re.sub(r"[^a-z0-9]+", "-", deployment.contract.api.served_model_name.lower()).strip("-")[:40].strip("-")
    return f"model-{name}" if not name or name[0].isdigit() or name.startswith(_TAKEN) else name


def labels(deployment: Deployment) -> dict[str, str]:
    """Labels of every object."""
    return {
        "app.kubernetes.io/name": app(deployment),
        "app.kubernetes.io/component": "model-server",
        "app.kubernetes.io/part-of": deployment.environment.name,
        "app.kubernetes.io/managed-by": "hawser",
    }


def selector(deployment: Deployment) -> dict[str, str]:
    """The labels by which the pods of the model server are found; they never change."""
    return {"app.kubernetes.io/name": app(deployment), "app.kubernetes.io/component": "model-server"}


def image(deployment: Deployment) -> str:
    """The image in the environment's registry, by its digest."""
    return f"{deployment.environment.registry}/{deployment.contract.image.name}@{deployment.contract.image.digest}"
