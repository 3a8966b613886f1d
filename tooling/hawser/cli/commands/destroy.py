"""``hawser destroy ENV``."""

from __future__ import annotations

import click

from hawser.cli import options


@click.command()
@options.environment
@options.stack
def command(env: str, stack: str | None) -> int:
    """Destroy ENV by the same path: plan -destroy, gate, approval, apply. The stack behind platform goes first.

    Where an approval is needed, the first run makes the plan and says what to approve; the run after the approval
    destroys exactly that.
    """
    from hawser.cli.destroy_run import destroy_environment
    from hawser.cli.talk import Talk
    from hawser.contract import load_deployment

    root, talk = options.checkout(), Talk()
    deployment = load_deployment(root, env)
    return int(destroy_environment(root, deployment, talk, stack))
