"""HW-SRV-019: values of variables and arguments that look like secrets, by name or by shape."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.manifests.reading import Manifest
from hawser.policy.manifests.registry import Surroundings, manifest_rule
from hawser.policy.manifests.workloads import pods
from hawser.policy.registry import Hit, RuleMeta
from hawser.policy.shown import secret_in
from hawser.terraform.secrets import is_secret_name, is_secret_value


@manifest_rule(
    RuleMeta(
        id="HW-SRV-019",
        title="Manifests hold no secret in clear.",
        area="secrets",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=(),
        looks_at="planned state",
        why="Manifests lie in a repository, in logs and in every description of a pod: the secret is given away.",
        fix="Make a Secret outside the repository, and name it by secretKeyRef.",
    )
)
def secrets(manifest: Manifest, _: Surroundings) -> Iterator[Hit]:
    """Values of variables and arguments that look like secrets, by name or by shape."""
    for pod in pods(manifest):
        for one in pod.containers:
            for name, value in one.environment.items():
                if secret_in(value) or (is_secret_name(name) and is_secret_value(value)):
                    yield Hit(path=f"{one.path}.env", message=f"The variable {name} holds a secret in clear.")
            for name in ("--api-key", "--hf-token"):
                value = one.option(name) or ""
                if value and not value.startswith("$("):
                    yield Hit(
                        path=f"{one.path}.args", message=f"{name} is given in clear: every list of processes shows it."
                    )
