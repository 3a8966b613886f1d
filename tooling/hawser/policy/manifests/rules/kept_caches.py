"""HW-SRV-008: none of the engine's cache folders on a volume."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.registry import Surroundings, pod_rule
from hawser.policy.manifests.workloads import Pod
from hawser.policy.registry import Hit, RuleMeta


@pod_rule(
    RuleMeta(
        id="HW-SRV-008",
        title="Compiled kernels are kept on a volume.",
        area="engine",
        severity=Severity.MEDIUM,
        level=Level.APPROVAL,
        resource_types=(),
        looks_at="planned state",
        why="The first start compiles for most of an hour; in the container's own layer that is lost with the"
        " container, and each restart is a first start.",
        fix="Mount a volume of the node's disks and set HOME, VLLM_CACHE_ROOT, TRITON_CACHE_DIR,"
        " TORCHINDUCTOR_CACHE_DIR and FLASHINFER_WORKSPACE_BASE to folders on it.",
    )
)
def kept_caches(pod: Pod, _: Surroundings) -> Iterator[Hit]:
    """None of the engine's cache folders on a volume."""
    for one in pod.servers:
        mounted = [str(mount.get("mountPath")).rstrip("/") for mount in one.mounts if not mount.get("readOnly")]
        kept = [one.environment.get(name, "") for name in ("VLLM_CACHE_ROOT", "HOME", "XDG_CACHE_HOME")]
        kept += ["/root/.cache/vllm"] if not one.environment.get("HOME") else []
        if not any(path and folder.startswith(path) for path in mounted for folder in kept if folder):
            yield Hit(
                path=f"{one.path}.env",
                message="No cache of the engine lies on a volume: what the first start compiled is lost with"
                " the container.",
            )
