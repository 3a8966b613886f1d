"""``hawser render``: what contract and environment determine, as committed files."""

from __future__ import annotations

import json

import click

from hawser.cli import options
from hawser.errors import Exit


@click.command("render")
@options.environment
@click.option("--check", is_flag=True, help="Write nothing; exit 8 when a committed file is not up to date.")
@options.json_output
def command(env: str, check: bool, as_json: bool) -> int:
    """Write environments/ENV/generated, or compare it.

    The files hold what contract.yaml and env.yaml determine and nothing else: the same input gives the same bytes.
    """
    from hawser.contract import load_deployment
    from hawser.render.folder import generated_files, generated_folder, write_generated
    from hawser.render.generated import stale_files

    root = options.checkout()
    deployment = load_deployment(root, env)
    shown = f"environments/{env}/generated"
    if check:
        lines = stale_files(generated_folder(root, deployment), generated_files(deployment), "*")
    else:
        lines = write_generated(root, deployment)
    if as_json:
        result = {
            "schema": "hawser.render/1",
            "environment": env,
            "folder": shown,
            "check": check,
            "files": list(lines),
        }
        click.echo(json.dumps(result, indent=2))
    else:
        for line in lines:
            click.echo(f"{shown}/{line}" if check else f"{shown}: {line}")
        if not lines:
            click.echo(f"{shown} is up to date.")
    if check and lines:
        click.echo(f"hawser: {shown} is not up to date\n  → Run `hawser render {env}` and commit it.", err=True)
        return Exit.CHECK_FOUND
    return Exit.OK
