"""The folder ``environments/<env>/generated``: everything that contract and environment determine, and nothing else."""

from __future__ import annotations

from pathlib import Path

from hawser.contract.deployment import Deployment
from hawser.render.generated import write_files
from hawser.render.manifests.files import manifest_files
from hawser.render.tfvars import tfvars_files


def generated_files(deployment: Deployment) -> dict[str, bytes]:
    """Variables of the stacks and objects of the cluster, by file name."""
    return tfvars_files(deployment) | manifest_files(deployment)


def write_generated(root: Path, deployment: Deployment) -> tuple[str, ...]:
    """Bring the folder below ``root`` up to date and say what was done."""
    return write_files(generated_folder(root, deployment), generated_files(deployment), "*")


def generated_folder(root: Path, deployment: Deployment) -> Path:
    """Where the generated files of the deployment's environment lie in the checkout at ``root``."""
    return root / "environments" / deployment.environment.name / "generated"
