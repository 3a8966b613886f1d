"""HW-SRV-012: no memory-backed volume at /dev/shm; the operator of HyperPod mounts what it will."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.registry import Surroundings, pod_rule
from hawser.policy.manifests.workloads import Pod, quantity, table
from hawser.policy.registry import Hit, RuleMeta

_AT: Final = "/dev/shm"  # noqa: S108  a mount path
#: What eight ranks share at the least, with room for what a crashed engine left.
_LEAST: Final = 16 * 2**30


@pod_rule(
    RuleMeta(
        id="HW-SRV-012",
        title="A server of several GPUs has shared memory.",
        area="engine",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="A container gets 64 MB of /dev/shm; NCCL and the engine's own queues between ranks do not start with it.",
        fix="Mount an emptyDir with medium: Memory at /dev/shm, count it in the memory limit, and empty it when the"
        " container starts.",
    )
)
def shared_memory(pod: Pod, _: Surroundings) -> Iterator[Hit]:
    """No memory-backed volume at /dev/shm; the operator of HyperPod mounts what it will."""
    if pod.of_operator:
        return
    for one in pod.servers:
        mount = next((mount for mount in one.mounts if str(mount.get("mountPath")).rstrip("/") == _AT), None)
        if one.gpus < 2:
            continue
        if mount is None:
            yield Hit(
                path=f"{one.path}.volumeMounts",
                message="Nothing is mounted at /dev/shm, so ranks share 64 MB: NCCL cannot create its segments.",
                after="Mount {name: shm, emptyDir: {medium: Memory, sizeLimit: 64Gi}} at /dev/shm.",
            )
            continue
        empty = table(pod.volume(str(mount.get("name"))).get("emptyDir"))
        size = quantity(empty["sizeLimit"]) if empty.get("sizeLimit") is not None else None
        if empty.get("medium") != "Memory" or (size is not None and size < _LEAST):
            yield Hit(
                path=f"{pod.path}.volumes",
                message="The volume at /dev/shm is not in memory, or smaller than 16 GiB.",
                after="Write emptyDir: {medium: Memory, sizeLimit: 64Gi}.",
            )
