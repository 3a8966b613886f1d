"""``hawser show ENV``."""

from __future__ import annotations

import json

import click

from hawser.cli import options


@click.command()
@options.environment
@options.stack
@options.bundle
@options.json_output
def command(env: str, stack: str | None, bundle: str | None, as_json: bool) -> int:
    """Show the newest bundle of each stack: its report, approvals, and whether it was applied."""
    from hawser.cli.showing import shown

    found = shown(options.checkout(), env, stack, bundle)
    if as_json:
        click.echo(
            json.dumps({"schema": "hawser.show/1", "environment": env, "bundles": found}, indent=2, sort_keys=True)
        )
        return 0
    for index, entry in enumerate(found):
        if index:
            click.echo()
        click.echo(str(entry["report"]).rstrip("\n"))
        click.echo(f"\n{entry['standing']}")
    return 0
