"""``hawser bundle push ENV`` and ``hawser bundle pull ENV``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from hawser.cli import options

if TYPE_CHECKING:
    from hawser.cli.storing import Stored


@click.group()
def command() -> None:
    """Bundles travel through the state bucket: written once, with approvals beside them.

    What travels is the saved plan, its record, variables and redacted reports; never plan.json, which holds secrets.
    """


@command.command("push")
@options.environment
@options.stack
@options.bundle
@options.json_output
def push(env: str, stack: str | None, bundle: str | None, as_json: bool) -> int:
    """Write the newest real bundle of each stack, or --bundle, into the state bucket; never over another.

    A plan that is denied, could not be judged, is speculative or was used stays here.
    """
    from hawser.cli.storing_run import push_environment

    _tell("push", env, push_environment(options.checkout(), env, stack, bundle), as_json=as_json)
    return 0


@command.command("pull")
@options.environment
@options.stack
@options.bundle
@options.json_output
def pull(env: str, stack: str | None, bundle: str | None, as_json: bool) -> int:
    """Fetch the newest bundle of each stack that was made from what this checkout holds, or --bundle.

    With its approvals. The reports are made here, by this checkout's gate, from the plan itself; those in the bucket
    are not believed. `hawser show`, `approve` and `apply` then work as on the machine that planned.
    """
    from hawser.cli.storing_run import pull_environment

    _tell("pull", env, pull_environment(options.checkout(), env, stack, bundle), as_json=as_json)
    return 0


def _tell(verb: str, env: str, stored: Sequence[Stored], *, as_json: bool) -> None:
    if as_json:
        document = {"schema": f"hawser.bundle-{verb}/1", "environment": env, "bundles": [asdict(one) for one in stored]}
        click.echo(json.dumps(document, indent=2, sort_keys=True))
        return
    done, was = {"push": ("pushed", "was pushed before"), "pull": ("pulled", "is here already")}[verb]
    for one in stored:
        people = "1 approval" if one.approvals == 1 else f"{one.approvals} approvals"
        said = f"{done} {one.bundle}" if one.new else f"{one.bundle} {was}"
        click.echo(f"{one.stack}: {said} ({people})")
