"""``hawser render``: what contract and environment determine, as committed files."""

from __future__ import annotations

import click

from hawser.cli import options
from hawser.errors import Exit


@click.command("render")
@options.environment
@click.option("--check", is_flag=True, help="Write nothing; exit 8 when a committed file is not up to date.")
def command(env: str, check: bool) -> int:
    """Write environments/ENV/generated, or compare it.

    The files hold what contract.yaml and env.yaml determine and nothing else: the same input gives the same bytes.
    """
    from hawser.contract import load_deployment
    from hawser.render.generated import stale_files
    from hawser.render.tfvars import generated_files, generated_folder, write_generated

    root = options.checkout()
    deployment = load_deployment(root, env)
    shown = f"environments/{env}/generated"
    if check:
        stale = stale_files(generated_folder(root, deployment), generated_files(deployment), "*")
        for line in stale:
            click.echo(f"{shown}/{line}")
        if stale:
            click.echo(f"hawser: {shown} is not up to date\n  → Run `hawser render {env}` and commit it.", err=True)
            return Exit.CHECK_FOUND
        click.echo(f"{shown} is up to date.")
        return Exit.OK
    for line in write_generated(root, deployment) or ("nothing to do: it is up to date",):
        click.echo(f"{shown}: {line}")
    return Exit.OK
