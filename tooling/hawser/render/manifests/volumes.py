"""Volumes of the model server: where weights and compiled kernels lie, and shared memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from hawser import facts
from hawser.contract.deployment import Deployment
from hawser.render.manifests.engine import folders, own_volume
from hawser.render.manifests.names import NAMESPACE, app, labels

CACHE: Final = "cache"
WEIGHTS: Final = "weights"
SHM: Final = "shm"
SCRIPTS: Final = "scripts"
SCRIPTS_AT: Final = "/hawser"
SCRIPTS_MOUNT: Final = {"name": SCRIPTS, "mountPath": SCRIPTS_AT}

#: Shared memory of a pod, in GiB: two generations of what eight ranks share, since a crashed engine leaves its part
#: until the next start empties it. 64 MB is what a container has otherwise, and NCCL does not start with it.
SHM_GIB: Final = 64

_GIB: Final = 2**30


@dataclass(frozen=True, slots=True)
class LustreCache:
    """A file system with the weights, as the stack `eks` gives it out for a zone."""

    file_system_id: str
    dns_name: str
    mount_name: str


def scripts_name(deployment: Deployment) -> str:
    """Name of the ConfigMap with the scripts."""
    return f"{app(deployment)}-scripts"


def claim_name(deployment: Deployment, zone_id: str = "") -> str:
    """Name of the claim of the nodes' own disks; with a zone, of the file system there."""
    return f"{app(deployment)}-weights-{zone_id}" if zone_id else f"{app(deployment)}-cache"


def of_pod(deployment: Deployment, zone_id: str) -> list[dict[str, Any]]:
    """The volumes of a pod of the model server on eks. ``zone_id`` is where it runs."""
    kind = deployment.contract.weights.cache
    found: list[dict[str, Any]] = [
        {"name": CACHE, "persistentVolumeClaim": {"claimName": claim_name(deployment)}},
        {"name": SHM, "emptyDir": {"medium": "Memory", "sizeLimit": f"{SHM_GIB}Gi"}},
        {"name": SCRIPTS, "configMap": {"name": scripts_name(deployment), "defaultMode": 0o555}},
    ]
    if kind == "lustre":
        claim = {"claimName": claim_name(deployment, zone_id), "readOnly": True}
        found.insert(1, {"name": WEIGHTS, "persistentVolumeClaim": claim})
    elif kind == "ebs":
        found.insert(1, {"name": WEIGHTS, "ephemeral": {"volumeClaimTemplate": {"spec": _ebs_claim(deployment)}}})
    return found


def cache_mounts(deployment: Deployment) -> list[dict[str, Any]]:
    """Where a container finds the cache and the weights."""
    at = folders(deployment)
    found: list[dict[str, Any]] = [{"name": CACHE, "mountPath": at.mount}]
    if own_volume(deployment):
        read_only = {"readOnly": True} if deployment.contract.weights.cache == "lustre" else {}
        found.append({"name": WEIGHTS, "mountPath": at.weights, **read_only})
    return found


def mounts(deployment: Deployment) -> list[dict[str, Any]]:
    """Where the engine's container finds everything."""
    return [
        *cache_mounts(deployment),
        {"name": SHM, "mountPath": "/dev/shm"},  # noqa: S108  a mount path, not a file of ours
        SCRIPTS_MOUNT,
    ]


def objects(deployment: Deployment) -> list[dict[str, Any]]:
    """The volumes that need nothing of the stacks' outputs: the nodes' own disks, and the class of EBS volumes."""
    found = _node_disks(deployment)
    return [*found, _ebs_class(deployment)] if deployment.contract.weights.cache == "ebs" else found


def lustre_objects(deployment: Deployment, caches: Mapping[str, LustreCache]) -> list[dict[str, Any]]:
    """Volume and claim of each file system, by zone id."""
    found = []
    for zone_id in sorted(caches):
        cache, name = caches[zone_id], claim_name(deployment, zone_id)
        source = {
            "csi": {
                "driver": "fsx.csi.aws.com",
                "volumeHandle": cache.file_system_id,
                "volumeAttributes": {"dnsname": cache.dns_name, "mountname": cache.mount_name},
            }
        }
        found += _pair(deployment, name, source, facts.lustre().smallest_gib)
    return found


def _node_disks(deployment: Deployment) -> list[dict[str, Any]]:
    """One volume for all nodes: on each it is that node's own folder, which outlives pods.

    A pod that named the folder itself would need the privileged level of pod security; through a claim it does not.
    """
    path = f"{facts.instance_store(deployment.environment.target)}/hawser/{app(deployment)}"
    size = -(-deployment.contract.weights.size_bytes * 11 // (10 * _GIB))
    source = {"hostPath": {"path": path, "type": "DirectoryOrCreate"}}
    return _pair(deployment, claim_name(deployment), source, size)


def _pair(deployment: Deployment, name: str, source: dict[str, Any], gib: int) -> list[dict[str, Any]]:
    volume = f"{deployment.environment.name}-{name}"
    shared = {"accessModes": ["ReadWriteMany"], "storageClassName": ""}
    return [
        {
            "apiVersion": "v1",
            "kind": "PersistentVolume",
            "metadata": {"name": volume, "labels": labels(deployment)},
            "spec": {
                "capacity": {"storage": f"{gib}Gi"},
                **shared,
                "persistentVolumeReclaimPolicy": "Retain",
                "claimRef": {"namespace": NAMESPACE, "name": name},
                **source,
            },
        },
        {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": {"name": name, "namespace": NAMESPACE, "labels": labels(deployment)},
            "spec": {**shared, "volumeName": volume, "resources": {"requests": {"storage": f"{gib}Gi"}}},
        },
    ]


def _ebs_class(deployment: Deployment) -> dict[str, Any]:
    sold = facts.gp3()
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": claim_name(deployment), "labels": labels(deployment)},
        "provisioner": "ebs.csi.aws.com",
        "parameters": {
            "type": "gp3",
            "iops": str(sold.iops),
            "throughput": str(sold.throughput_mb),
            "encrypted": "true",
        },
        "volumeBindingMode": "WaitForFirstConsumer",
        "reclaimPolicy": "Delete",
    }


def _ebs_claim(deployment: Deployment) -> dict[str, Any]:
    size = deployment.contract.weights.size_bytes
    gib = -(-size * (100 + facts.gp3().reserve_percent) // (100 * _GIB))
    return {
        "accessModes": ["ReadWriteOnce"],
        "storageClassName": claim_name(deployment),
        "resources": {"requests": {"storage": f"{gib}Gi"}},
    }
