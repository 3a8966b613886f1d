"""HW-SRV-025: the group that articles write, and kinds of SageMaker's own API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.reading import Manifest
from hawser.policy.manifests.registry import Surroundings, manifest_rule
from hawser.policy.manifests.workloads import ENDPOINT, OPERATOR
from hawser.policy.registry import Hit, RuleMeta

_KINDS: Final = (ENDPOINT, "JumpStartModel", "SageMakerEndpointRegistration")


@manifest_rule(
    RuleMeta(
        id="HW-SRV-025",
        title="Objects of HyperPod's operator have its group and kinds.",
        area="hyperpod",
        severity=Severity.HIGH,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="There is no such resource in the cluster: the API server refuses the manifest.",
        fix="Write apiVersion: inference.sagemaker.aws.amazon.com/v1 and kind: InferenceEndpointConfig.",
    )
)
def operator_kind(manifest: Manifest, _: Surroundings) -> Iterator[Hit]:
    """The group that articles write, and kinds of SageMaker's own API."""
    group = manifest.api_version.partition("/")[0]
    if group == "sagemaker.aws.amazon.com" or (group.endswith("sagemaker.aws.amazon.com") and group != OPERATOR):
        yield Hit(
            path="apiVersion",
            message=f"The group {group} is not the operator's.",
            after=f"Write apiVersion: {OPERATOR}/v1.",
        )
    if manifest.kind == "InferenceComponent" or (group == OPERATOR and manifest.kind not in _KINDS):
        yield Hit(
            path="kind",
            message=f"{manifest.kind} is no kind of the operator; an InferenceComponent is an object of"
            " SageMaker's endpoints.",
            after=f"Write kind: {ENDPOINT}.",
        )
