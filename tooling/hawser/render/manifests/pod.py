"""The pod of the model server on eks: what copies the weights, and then the engine."""

from __future__ import annotations

from typing import Any, Final

from hawser import facts
from hawser.contract.deployment import Deployment
from hawser.render.manifests import engine, volumes
from hawser.render.manifests.names import (
    PORT,
    PROGRESS_PORT,
    PROGRESS_PORT_NUMBER,
    SERVICE_ACCOUNT,
    image,
    labels,
)
from hawser.sizing.startup import PRE_STOP_S, Startup

#: User and group `vllm` of the engine's image: other ids have no name there, and the engine asks for one at once
#: (kserve issue 5666, dynamo PR 12457).
USER: Final = 2000

#: Huge pages that the EFA libraries of one node map, 5,128 of 2 MiB (EKS user guide on EFA, 2026-11-30), rounded up.
_HUGE_PAGES: Final = "10256Mi"

_LOCKED_DOWN: Final = {
    "allowPrivilegeEscalation": False,
    "capabilities": {"drop": ["ALL"]},
    "seccompProfile": {"type": "RuntimeDefault"},
}


def pod(
    deployment: Deployment, instance: facts.Instance, zone_id: str, limits: Startup, *, nodes: int, leads: bool = True
) -> dict[str, Any]:
    """The template of a pod on nodes of one instance type. ``leads``: it is the one that answers requests."""
    return {
        "metadata": {"labels": labels(deployment)},
        "spec": {
            "serviceAccountName": SERVICE_ACCOUNT,
            "automountServiceAccountToken": False,
            "enableServiceLinks": False,
            "terminationGracePeriodSeconds": limits.grace_s,
            "nodeSelector": {"node.kubernetes.io/instance-type": instance.name},
            "tolerations": [
                {"key": "nvidia.com/gpu", "operator": "Equal", "value": "true", "effect": "NoSchedule"},
            ],
            "securityContext": {
                "runAsUser": USER,
                "runAsGroup": USER,
                "fsGroup": USER,
                "fsGroupChangePolicy": "OnRootMismatch",
            },
            "initContainers": _before(deployment),
            "containers": [_server(deployment, instance, limits, nodes, leads)],
            "volumes": volumes.of_pod(deployment, zone_id),
        },
    }


def copier(deployment: Deployment) -> list[str]:
    """The command that brings the weights into the cache; its arguments are the contract's."""
    return [
        "python3",
        f"{volumes.SCRIPTS_AT}/copy_weights.py",
        deployment.environment.weights_uri,
        engine.folders(deployment).weights,
        deployment.contract.weights.manifest_sha256,
        str(PROGRESS_PORT_NUMBER),
    ]


def copies(deployment: Deployment) -> bool:
    """Whether the weights are copied before the engine starts."""
    return facts.weights_caches()[deployment.contract.weights.cache].copy is not None


def _before(deployment: Deployment) -> list[dict[str, Any]]:
    """A fresh cache belongs to root; then the weights are copied as the user that reads them."""
    found: list[dict[str, Any]] = [
        {
            "name": "own-cache",
            "image": image(deployment),
            "command": ["chown", f"{USER}:{USER}", *_owned(deployment)],
            "securityContext": {
                **_LOCKED_DOWN,
                "runAsUser": 0,
                "runAsGroup": 0,
                "capabilities": {"drop": ["ALL"], "add": ["CHOWN"]},
            },
            "resources": _small("64Mi"),
            "volumeMounts": volumes.cache_mounts(deployment),
        }
    ]
    if copies(deployment):
        found.append(
            {
                "name": "copy-weights",
                "image": image(deployment),
                "command": copier(deployment),
                "env": [{"name": "AWS_REGION", "value": deployment.environment.region}],
                "ports": [{"name": PROGRESS_PORT, "containerPort": PROGRESS_PORT_NUMBER}],
                "securityContext": {**_LOCKED_DOWN, "runAsNonRoot": True, "readOnlyRootFilesystem": True},
                # Checksums of many files at a time; the engine's own request is larger, so this costs nothing.
                "resources": {"requests": {"cpu": "32", "memory": "32Gi"}, "limits": {"cpu": "32", "memory": "32Gi"}},
                "volumeMounts": [*volumes.cache_mounts(deployment), volumes.SCRIPTS_MOUNT],
            }
        )
    return found


def _owned(deployment: Deployment) -> list[str]:
    """The folders at the top of volumes that are written to."""
    return [one["mountPath"] for one in volumes.cache_mounts(deployment) if not one.get("readOnly")]


def _small(memory: str) -> dict[str, Any]:
    return {"requests": {"cpu": "100m", "memory": memory}, "limits": {"cpu": "100m", "memory": memory}}


def _server(
    deployment: Deployment, instance: facts.Instance, limits: Startup, nodes: int, leads: bool
) -> dict[str, Any]:
    port, paths = deployment.contract.api.port, deployment.contract.api.paths
    several = nodes > 1
    takes = engine.resources(deployment, instance, nodes)
    if several:
        takes |= {"vpc.amazonaws.com/efa": str(instance.efa), "hugepages-2Mi": _HUGE_PAGES}
    alive = ["python3", f"{volumes.SCRIPTS_AT}/alive.py", f"http://127.0.0.1:{port}{paths['metrics']}"]
    settings = engine.environment(deployment)
    if several:
        settings |= {"MASTER_PORT": "29500", "LEADER_WAIT_S": str(limits.probe_s), "FI_PROVIDER": "efa"}
    starter = "start-rank.sh" if several else "start.sh"
    capabilities = {"drop": ["ALL"], **({"add": ["IPC_LOCK"]} if several else {})}
    return {
        "name": "model-server",
        "image": image(deployment),
        "command": [f"{volumes.SCRIPTS_AT}/{starter}", *engine.command(deployment)],
        "args": engine.arguments(deployment),
        "env": [{"name": name, "value": settings[name]} for name in sorted(settings)],
        "ports": [{"name": PORT, "containerPort": port}] if leads else [],
        "resources": {"requests": takes, "limits": takes},
        "securityContext": {**_LOCKED_DOWN, "capabilities": capabilities, "runAsNonRoot": True},
        **(engine.probes(deployment, limits, alive) if leads else {}),
        # Endpoints leave balancers while this waits; then the engine gets its signal and ends what runs.
        "lifecycle": {"preStop": {"exec": {"command": ["sleep", str(PRE_STOP_S)]}}},
        "volumeMounts": volumes.mounts(deployment),
    }
