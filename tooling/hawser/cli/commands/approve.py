"""``hawser approve ENV``."""

from __future__ import annotations

import click

from hawser.cli import options


@click.command()
@options.environment
@options.stack
@options.bundle
def command(env: str, stack: str | None, bundle: str | None) -> int:
    """Approve exactly the plans that were reviewed: the newest bundle of each stack, or --bundle.

    The approver is git's user.email, or user@host where none is set. A plan that is denied or could not be judged is
    fixed or waived, never approved.
    """
    from hawser.cli.approving import approve

    for line in approve(options.checkout(), env, stack, bundle):
        click.echo(line)
    return 0
