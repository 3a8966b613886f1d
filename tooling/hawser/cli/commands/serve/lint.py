"""``hawser serve lint``: the rules for manifests, on files that people have or on what hawser renders."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from hawser.cli import options
from hawser.errors import Exit, UsageError

if TYPE_CHECKING:
    from hawser.policy.manifests.lint import Fault

#: Columns where there is no terminal to ask.
_WIDTH: Final = 100


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]…", type=click.Path(path_type=Path))
@click.option("--env", type=options.EnvironmentName(), metavar="ENV", help="Compare with this environment's figures.")
@options.json_output
def lint(files: tuple[Path, ...], env: str | None, as_json: bool) -> int:
    """Find what would go wrong in manifests of a model server: what happens, and the right value.

    Without FILE, the objects that hawser renders for --env are judged. Exit 8 when a fault asks for more than advice.
    """
    from hawser.contract import load_deployment
    from hawser.policy.findings import Level
    from hawser.policy.manifests.lint import lint as judge
    from hawser.policy.manifests.reading import read_files, read_manifests
    from hawser.render.manifests.files import manifest_files

    deployment = load_deployment(options.checkout(), env) if env else None
    if files:
        manifests = read_files(files)
    elif deployment is not None:
        name = f"environments/{env}/generated/serving.yaml"
        manifests = read_manifests(manifest_files(deployment)["serving.yaml"], name)
    else:
        raise UsageError("no file and no environment is given", fix="Give files, or --env ENV, or both.")
    faults = judge(manifests, deployment)
    serious = sum(fault.level is not Level.ADVISORY for fault in faults)
    if as_json:
        click.echo(
            json.dumps(
                {
                    "schema": "hawser.lint/1",
                    "environment": env,
                    "objects": len(manifests),
                    "faults": [asdict(fault) for fault in faults],
                },
                indent=2,
            )
        )
    else:
        _print(faults, len(manifests))
    return Exit.CHECK_FOUND if serious else Exit.OK


def _print(faults: Sequence[Fault], objects: int) -> None:
    from hawser.report.visible import visible

    width = shutil.get_terminal_size((_WIDTH, 24)).columns
    for fault in faults:
        place = visible(f"{fault.file}:{fault.line}")
        click.echo(f"{place}  {visible(fault.subject)}  {fault.rule_id} ({fault.level})")
        click.echo(click.wrap_text(visible(fault.message), width, "  ", "  "))
        click.echo(click.wrap_text(visible(fault.fix), width, "  → ", "    "))
        click.echo()
    what = f"{objects} object{'s' if objects != 1 else ''}"
    click.echo(
        f"{what}: {len(faults)} fault{'s' if len(faults) != 1 else ''}." if faults else f"{what}: no fault found."
    )
