"""The model server on Amazon EKS: a Deployment, or a LeaderWorkerSet when a replica takes several nodes."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from hawser.contract.deployment import Deployment
from hawser.render.manifests import pod, volumes
from hawser.render.manifests.names import (
    CLIENT_LABEL,
    NAMESPACE,
    PORT,
    PROGRESS_PORT_NUMBER,
    SERVICE_ACCOUNT,
    app,
    labels,
    selector,
)
from hawser.render.manifests.placement import Placement, placements
from hawser.sizing.startup import Startup, startup

_SCRIPTS: Final = Path(__file__).parent / "scripts"


def objects(deployment: Deployment) -> list[dict[str, Any]]:
    """Every object that needs nothing but the deployment, in the order in which they are applied."""
    limits, places = startup(deployment), placements(deployment)
    several = any(place.nodes > 1 for place in places)
    found = [
        namespace(deployment, locks_memory=several),
        service_account(deployment),
        *volumes.objects(deployment),
        scripts(deployment),
        contract(deployment),
    ]
    found += [
        _group(deployment, place, limits) if place.nodes > 1 else _deployment(deployment, place, limits)
        for place in places
    ]
    found += [service(deployment), network_policy(deployment, several=several)]
    if deployment.environment.replicas > 1:
        found.append(disruption_budget(deployment))
    return found


def namespace(deployment: Deployment, *, locks_memory: bool = False) -> dict[str, Any]:
    """The namespace with the strictest level of pod security that its pods meet.

    baseline: one container, before the engine, is root and may only change owners. Pods of several nodes lock memory
    for EFA (IPC_LOCK), which only privileged allows.
    """
    level = "privileged" if locks_memory else "baseline"
    return {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {
            "name": NAMESPACE,
            "labels": {
                **labels(deployment),
                CLIENT_LABEL: "true",
                "pod-security.kubernetes.io/enforce": level,
                "pod-security.kubernetes.io/warn": "baseline",
            },
        },
    }


def service_account(deployment: Deployment) -> dict[str, Any]:
    """The account that the pod identity of the stack `platform` is for: it may read the weights and nothing else."""
    return {
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": {"name": SERVICE_ACCOUNT, "namespace": NAMESPACE, "labels": labels(deployment)},
        "automountServiceAccountToken": False,
    }


def scripts(deployment: Deployment) -> dict[str, Any]:
    """What runs in the pods beside the engine, as files."""
    data = {
        path.name: path.read_text(encoding="utf-8")
        for path in sorted(_SCRIPTS.iterdir())
        if path.suffix in (".py", ".sh")
    }
    return _config(volumes.scripts_name(deployment), deployment, data)


def contract(deployment: Deployment) -> dict[str, Any]:
    """The contract as it was resolved for this environment: what an auditor asks for."""
    resolved = {
        "digest": deployment.digest,
        "environment": deployment.environment.name,
        "overrides": sorted(deployment.environment.overrides),
        **asdict(deployment.contract),
    }
    text = json.dumps(resolved, indent=2, sort_keys=True, default=dict) + "\n"
    return _config(f"{app(deployment)}-contract", deployment, {"contract.json": text})


def _config(name: str, deployment: Deployment, data: dict[str, str]) -> dict[str, Any]:
    metadata = {"name": name, "namespace": NAMESPACE, "labels": labels(deployment)}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


def _metadata(deployment: Deployment, place: Placement) -> dict[str, Any]:
    name = app(deployment) + (f"-{place.suffix}" if place.suffix else "")
    annotations = {"hawser/contract": deployment.digest}
    return {"name": name, "namespace": NAMESPACE, "labels": labels(deployment), "annotations": annotations}


def _template(deployment: Deployment, place: Placement, limits: Startup, *, leads: bool = True) -> dict[str, Any]:
    template = pod.pod(deployment, place.instance, place.zone_id, limits, nodes=place.nodes, leads=leads)
    spec = template["spec"]
    # Nothing here says which pools there are, nor which contract: a new pool beside the one that ends must not change
    # the template, since every change of it stops all replicas.
    wanted: list[dict[str, Any]] = [{"key": "hawser/pool", "operator": "Exists"}]
    if deployment.contract.weights.cache == "lustre":
        wanted.append({"key": "topology.k8s.aws/zone-id", "operator": "In", "values": [place.zone_id]})
    terms = [{"matchExpressions": wanted}]
    spec["affinity"] = {
        "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    }
    return {"metadata": {"labels": {**template["metadata"]["labels"]}}, "spec": _ordered(spec)}


def _ordered(spec: dict[str, Any]) -> dict[str, Any]:
    """Where a pod may run stands above what runs in it."""
    affinity = spec.pop("affinity")
    found: dict[str, Any] = {}
    for key, value in spec.items():
        found[key] = value
        if key == "nodeSelector":
            found["affinity"] = affinity
    return found


def _deployment(deployment: Deployment, place: Placement, limits: Startup) -> dict[str, Any]:
    metadata = _metadata(deployment, place)
    match = {**selector(deployment)}
    template = _template(deployment, place, limits)
    if place.suffix:
        match["hawser/placement"] = place.suffix
        template["metadata"]["labels"]["hawser/placement"] = place.suffix
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": metadata,
        "spec": {
            "replicas": place.replicas,
            # A new pod would wait for the GPUs that the old one holds, for ever.
            "strategy": {"type": "Recreate"},
            "progressDeadlineSeconds": limits.rollout_s,
            "revisionHistoryLimit": 3,
            "selector": {"matchLabels": match},
            "template": template,
        },
    }


def _group(deployment: Deployment, place: Placement, limits: Startup) -> dict[str, Any]:
    metadata = _metadata(deployment, place)
    leader = _template(deployment, place, limits)
    worker = _template(deployment, place, limits, leads=False)
    # Workers answer no requests, so no service may find them.
    worker["metadata"]["labels"]["app.kubernetes.io/component"] = "model-rank"
    return {
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": metadata,
        "spec": {
            "replicas": place.replicas,
            "startupPolicy": "LeaderCreated",
            "rolloutStrategy": {
                "type": "RollingUpdate",
                "rollingUpdateConfiguration": {"maxSurge": 0, "maxUnavailable": 1},
            },
            "leaderWorkerTemplate": {
                "size": place.nodes,
                # A rank alone cannot join again: all of them start together.
                "restartPolicy": "RecreateGroupOnPodRestart",
                "leaderTemplate": leader,
                "workerTemplate": worker,
            },
        },
    }


def service(deployment: Deployment) -> dict[str, Any]:
    """The address of the model inside the cluster."""
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": app(deployment), "namespace": NAMESPACE, "labels": labels(deployment)},
        "spec": {
            "type": "ClusterIP",
            "selector": selector(deployment),
            "ports": [{"name": PORT, "port": deployment.contract.api.port, "targetPort": PORT}],
        },
    }


def network_policy(deployment: Deployment, *, several: bool) -> dict[str, Any]:
    """Who may call the model: namespaces that say so. The engine's key does not cover every path, so this does."""
    ingress: list[dict[str, Any]] = [
        {
            "from": [{"namespaceSelector": {"matchLabels": {CLIENT_LABEL: "true"}}}],
            "ports": [
                {"protocol": "TCP", "port": deployment.contract.api.port},
                {"protocol": "TCP", "port": PROGRESS_PORT_NUMBER},
            ],
        }
    ]
    parts = {"app.kubernetes.io/name": app(deployment)}
    if several:  # the ranks of a replica talk on ports that they choose
        ingress.append({"from": [{"podSelector": {"matchLabels": parts}}]})
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": app(deployment), "namespace": NAMESPACE, "labels": labels(deployment)},
        "spec": {"podSelector": {"matchLabels": parts}, "policyTypes": ["Ingress"], "ingress": ingress},
    }


def disruption_budget(deployment: Deployment) -> dict[str, Any]:
    """One replica at a time may be moved. For a single one there is none, since it would block every drain."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": app(deployment), "namespace": NAMESPACE, "labels": labels(deployment)},
        "spec": {"maxUnavailable": 1, "selector": {"matchLabels": selector(deployment)}},
    }
