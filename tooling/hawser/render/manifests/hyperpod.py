"""The model server on SageMaker HyperPod: an endpoint of its inference operator, with every default that is wrong here.

The operator's pods take one volume, and no script, no user and no toleration of ours (custom resource of operator 3.2,
2026-06-22). So the engine is started by the image's own command, and the weights are copied by a container before it.
"""

from __future__ import annotations

from typing import Any

from hawser import facts
from hawser.contract.deployment import Deployment
from hawser.render.manifests import engine, pod, volumes
from hawser.render.manifests.eks import contract, scripts, service_account
from hawser.render.manifests.names import CLIENT_LABEL, NAMESPACE, PORT, SERVICE_ACCOUNT, app, image, labels
from hawser.render.manifests.placement import placements
from hawser.sizing.startup import startup


def objects(deployment: Deployment) -> list[dict[str, Any]]:
    """Every object that needs nothing but the deployment, in the order in which they are applied."""
    return [
        namespace(deployment),
        service_account(deployment),
        scripts(deployment),
        contract(deployment),
        *(endpoint(deployment, place.suffix, place.instance, place.replicas) for place in placements(deployment)),
    ]


def namespace(deployment: Deployment) -> dict[str, Any]:
    """The namespace. Its pods name a folder of the node, which only the level privileged allows."""
    return {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {
            "name": NAMESPACE,
            "labels": {
                **labels(deployment),
                CLIENT_LABEL: "true",
                "pod-security.kubernetes.io/enforce": "privileged",
                "pod-security.kubernetes.io/warn": "baseline",
            },
        },
    }


def endpoint(deployment: Deployment, suffix: str, instance: facts.Instance, replicas: int) -> dict[str, Any]:
    """The endpoint. Nothing in it scales by itself: capacity is reserved, and a new replica takes an hour."""
    api, limits = deployment.contract.api, startup(deployment)
    takes = engine.resources(deployment, instance, 1)
    settings = engine.environment(deployment)
    name = app(deployment) + (f"-{suffix}" if suffix else "")
    return {
        "apiVersion": "inference.sagemaker.aws.amazon.com/v1",
        "kind": "InferenceEndpointConfig",
        "metadata": {"name": name, "namespace": NAMESPACE, "labels": labels(deployment)},
        "spec": {
            "modelName": name,
            "instanceType": instance.sagemaker_name,
            "replicas": replicas,
            # Clients come through the load balancer: a SageMaker endpoint cuts every answer after 60 seconds.
            "endpointName": "",
            "invocationEndpoint": api.paths["chat"].lstrip("/"),
            "maxDeployTimeInSeconds": limits.operator_s,
            "modelSourceConfig": {"modelSourceType": "kubernetesVolume", "prefetchEnabled": False},
            "loadBalancer": {"healthCheckPath": api.paths["health"], "routingAlgorithm": "least_outstanding_requests"},
            "metrics": {"enabled": True, "modelMetrics": {"path": api.paths["metrics"], "port": api.port}},
            # Offloading to the host's memory goes through LMCache, whose releases before 0.5.3 cannot hold this
            # model's cache; and the operator's router has no use with one model.
            "kvCacheSpec": {"enableL1Cache": False, "enableL2Cache": False},
            "intelligentRoutingSpec": {"enabled": False},
            "worker": {
                "image": image(deployment),
                "command": engine.command(deployment),
                "args": engine.arguments(deployment),
                "environmentVariables": [{"name": key, "value": settings[key]} for key in sorted(settings)],
                "modelInvocationPort": {"containerPort": api.port, "name": PORT},
                "modelVolumeMount": {"name": volumes.CACHE, "mountPath": engine.folders(deployment).mount},
                "resources": {"requests": takes, "limits": takes},
                "probes": _probes(deployment),
            },
            "kubernetes": {
                "serviceAccountName": SERVICE_ACCOUNT,
                "initContainers": [_copier(deployment)] if pod.copies(deployment) else [],
                "volumes": [
                    {"name": volumes.CACHE, "hostPath": {"path": _folder(deployment), "type": "DirectoryOrCreate"}},
                    {
                        "name": volumes.SCRIPTS,
                        "configMap": {"name": volumes.scripts_name(deployment), "defaultMode": 0o555},
                    },
                ],
            },
        },
    }


def _folder(deployment: Deployment) -> str:
    return f"{facts.instance_store('hyperpod')}/hawser/{app(deployment)}"


def _probes(deployment: Deployment) -> dict[str, Any]:
    """No script can be mounted into the worker, so liveness asks the health path, with five minutes of patience."""
    probes = engine.probes(deployment, startup(deployment), None)
    return {name: probes[name] for name in ("startupProbe", "readinessProbe", "livenessProbe")}


def _copier(deployment: Deployment) -> dict[str, Any]:
    limits = {"cpu": "32", "memory": "32Gi"}
    return {
        "name": "copy-weights",
        "image": image(deployment),
        "command": pod.copier(deployment),
        "env": [{"name": "AWS_REGION", "value": deployment.environment.region}],
        "resources": {"requests": limits, "limits": limits},
        "volumeMounts": [
            {"name": volumes.CACHE, "mountPath": engine.folders(deployment).mount},
            volumes.SCRIPTS_MOUNT,
        ],
    }
