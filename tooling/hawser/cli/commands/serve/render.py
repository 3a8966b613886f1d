"""``hawser serve render``: the model server as objects, with what needs the outputs of the stacks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from hawser.cli import options
from hawser.errors import UsageError


@click.command()
@options.environment
@click.option(
    "--upstream",
    type=click.Path(path_type=Path, dir_okay=False),
    help="What `terraform output -json` of the target's stack printed, for objects that need its ids.",
)
def render(env: str, upstream: Path | None) -> None:
    """Print every object of the model server as YAML, to be applied or committed for GitOps.

    environments/ENV/generated/serving.yaml holds the same, but for objects that need ids of what the stacks made.
    """
    from hawser.contract import load_deployment
    from hawser.render.manifests.as_yaml import documents
    from hawser.render.manifests.files import objects_with_outputs, serving_objects

    deployment = load_deployment(options.checkout(), env)
    needs = deployment.contract.weights.cache == "lustre" and deployment.environment.target == "eks"
    if needs and upstream is None:
        raise UsageError(
            f"the volumes of {env} need the ids of its file systems",
            fix="Give --upstream FILE with what `terraform output -json` of the stack eks prints.",
        )
    objects = [*serving_objects(deployment), *objects_with_outputs(deployment, _outputs(upstream) if upstream else {})]
    # Volumes first: a pod that names a claim which is not there waits for it.
    objects.sort(key=lambda one: one["kind"] not in ("Namespace", "PersistentVolume", "PersistentVolumeClaim"))
    header = f"hawser serve render {env} (sha256 {deployment.digest})"
    click.echo(documents(objects, header).decode(), nl=False)


def _outputs(path: Path) -> dict[str, Any]:
    """Values by name. Raises ``UsageError`` when the file is not what ``terraform output -json`` prints."""
    fix = "Run `terraform output -json` in the stack eks, and give the file."
    try:
        found = json.loads(path.read_bytes())
        values = {name: entry["value"] for name, entry in found.items()}
        for one in values["caches"].values():
            if not {"file_system_id", "dns_name", "mount_name"} <= one.keys():
                raise KeyError("caches")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", fix=fix) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(f"{path} does not hold the output `caches` of the stack eks", fix=fix) from None
    return values
