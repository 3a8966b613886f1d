"""``hawser approve ENV``."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from hawser.cli import options


@click.command()
@options.environment
@options.stack
@options.bundle
@options.json_output
def command(env: str, stack: str | None, bundle: str | None, as_json: bool) -> int:
    """Approve exactly the plans that were reviewed: the newest bundle of each stack, or --bundle.

    Where the environment names an approval_key, the approver is who AWS STS says, and the approval is signed with the
    KMS key of bootstrap; else it is git's user.email (or user@host), unsigned. A plan that is denied or could not be
    judged is fixed or waived, never approved.
    """
    from hawser.cli.approving import approve

    done = []
    for one in approve(options.checkout(), env, stack, bundle):
        done.append(asdict(one))
        if not as_json:
            count = f"{one.given} of {one.needed} needed" if one.needed else "none is needed"
            click.echo(
                f"approved {one.stack} {one.bundle} by {one.by} ({one.how}, {count}, good until {one.good_until})"
            )
    if as_json:
        click.echo(json.dumps({"schema": "hawser.approve/1", "environment": env, "approved": done}, indent=2))
    return 0
