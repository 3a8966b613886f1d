"""``hawser apply ENV``."""

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
    """Apply exactly what was planned and approved: platform first, then the stack behind it.

    The gate runs again on the stored plan; any difference, age or earlier use is refused with exit 6.
    """
    from hawser.cli.apply_run import apply_environment
    from hawser.cli.talk import Talk
    from hawser.contract import load_deployment

    root, talk = options.checkout(), Talk()
    deployment = load_deployment(root, env)
    steps = []
    for step in apply_environment(root, deployment, talk, stack, bundle):
        steps.append(asdict(step))
        if not as_json:
            following = f". Next: {step.next_command}" if step.next_command else ""
            click.echo(f"{step.stack}: {step.result} {step.bundle}".rstrip() + following)
    if as_json:
        click.echo(json.dumps({"schema": "hawser.apply/1", "environment": env, "stacks": steps}, indent=2))
    return 0
