"""``hawser apply ENV``."""

from __future__ import annotations

import click

from hawser.cli import options


@click.command()
@options.environment
@options.bundle
def command(env: str, bundle: str | None) -> int:
    """Apply exactly what was planned and approved: platform first, then the stack behind it.

    The gate runs again on the stored plan; any difference, age or earlier use is refused with exit 6.
    """
    from hawser.cli.apply_run import apply_environment
    from hawser.cli.talk import Talk
    from hawser.contract import load_deployment

    root, talk = options.checkout(), Talk()
    deployment = load_deployment(root, env)
    for line in apply_environment(root, deployment, talk, bundle):
        click.echo(line)
    return 0
