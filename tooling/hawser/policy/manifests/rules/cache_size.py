"""HW-SRV-006: claims and sizes between half and all of the weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hawser import facts
from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.reading import Manifest
from hawser.policy.manifests.registry import Surroundings, manifest_rule
from hawser.policy.manifests.workloads import items, pods, quantity, table
from hawser.policy.registry import Hit, RuleMeta

_GIB: Final = 2**30


@manifest_rule(
    RuleMeta(
        id="HW-SRV-006",
        title="A volume for the weights holds them, in GiB.",
        area="storage",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="1.56 TB are 1,454 GiB, and a size that was written for the one is a tenth too small for the other: the"
        " copy fails at the end.",
        fix="Make it the size of the weights in GiB and a tenth more.",
    )
)
def cache_size(manifest: Manifest, around: Surroundings) -> Iterator[Hit]:
    """Claims and sizes between half and all of the weights."""
    model = _model(manifest, around)
    if model is None:
        return
    needed = -(-model.size_bytes * 11 // (10 * _GIB))
    for path, text in _sizes(manifest):
        size = quantity(text)
        if size is not None and 0.3 * model.size_bytes < size < model.size_bytes * 1.02:
            yield Hit(
                path=path,
                message=f"{text} are {size / _GIB:,.0f} GiB; the weights of {model.id} are"
                f" {model.size_bytes / _GIB:,.1f} GiB ({model.size_bytes / 1e12:.2f} TB).",
                after=f"Write {needed}Gi or more ({model.size_bytes / _GIB:,.1f} GiB and a tenth).",
            )


def _model(manifest: Manifest, around: Surroundings) -> facts.ModelFacts | None:
    for pod in around.all_pods():
        if pod.servers and (found := around.model(pod)):
            return found
    text = str(manifest.data).lower()
    return next((one for id_, one in facts.models().items() if id_.rsplit("/", 1)[-1].lower() in text), None)


def _sizes(manifest: Manifest) -> Iterator[tuple[str, str]]:
    spec = table(manifest.data.get("spec"))
    if manifest.kind in ("PersistentVolumeClaim", "PersistentVolume"):
        for keys in (("resources", "requests", "storage"), ("capacity", "storage")):
            node: object = spec
            for key in keys:
                node = table(node).get(key)
            if node is not None:
                yield f"spec.{'.'.join(keys)}", str(node)
    for index, claim in enumerate(map(table, items(spec.get("volumeClaimTemplates")))):
        text = table(table(table(claim.get("spec")).get("resources")).get("requests")).get("storage")
        if text is not None:
            yield f"spec.volumeClaimTemplates[{index}].spec.resources.requests.storage", str(text)
    for pod in pods(manifest):
        for index, volume in enumerate(map(table, items(pod.spec.get("volumes")))):
            limit = table(volume.get("emptyDir")).get("sizeLimit")
            if limit is not None:
                yield f"{pod.path}.volumes[{index}].emptyDir.sizeLimit", str(limit)
