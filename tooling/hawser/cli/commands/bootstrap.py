"""``hawser bootstrap move-state ENV``."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from hawser.cli import options


@click.group()
def command() -> None:
    """What only bootstrap needs; it is planned and applied like any stack: `hawser plan ENV --stack bootstrap`."""


@command.command("move-state")
@options.environment
@options.json_output
def move_state(env: str, as_json: bool) -> int:
    """Move bootstrap's state from this checkout into the bucket that bootstrap made.

    Once, after its first apply, in the checkout that applied it. Refused when the bucket holds another state; what
    arrived is compared with what was sent, and the old file stays as a backup.
    """
    from hawser.cli.moving_state import move_state as move
    from hawser.cli.talk import Talk
    from hawser.cli.workspace import open_workspace
    from hawser.contract import load_deployment
    from hawser.terraform.runner import INTERRUPTS

    root = options.checkout()
    workspace = open_workspace(root, load_deployment(root, env), Talk())
    with workspace.alone(), INTERRUPTS.handled():
        moved = move(workspace)
    kept = moved.kept.relative_to(root)
    if as_json:
        document = {"schema": "hawser.move-state/1", "environment": env, **asdict(moved), "kept": str(kept)}
        click.echo(json.dumps(document, indent=2, sort_keys=True))
    else:
        click.echo(f"bootstrap: moved {moved.resources} resources (serial {moved.serial}) to {moved.to}")
        click.echo(f"The old file is kept in {kept}; commit nothing of it.")
    return 0
