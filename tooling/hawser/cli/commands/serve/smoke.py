"""``hawser serve smoke``."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import click

from hawser.cli import options
from hawser.errors import Exit, UsageError

if TYPE_CHECKING:
    from hawser.serve.run import Check

#: Columns where there is no terminal to ask, and the fewest in which a sentence can be read.
_WIDTH: Final = 100
_NARROWEST: Final = 60
#: The key for an entry that wants one. Not an option: every process of the machine can read those.
KEY_VARIABLE: Final = "HAWSER_API_KEY"


@click.command()
@options.environment
@click.option("--url", metavar="URL", help="Where the server answers, such as http://127.0.0.1:8000.")
@click.option("--entry", is_flag=True, help="URL is the entry of users: other paths must be shut there.")
@options.json_output
def smoke(env: str, url: str | None, entry: bool, as_json: bool) -> int:
    """Ask the served model of ENV for what its contract promises; exit 8 when something is wrong.

    A known answer, whole and streamed, thoughts apart, tool calls and the turn after them, usage and the names of the
    metrics. About a dozen requests, for a server without other load; half an hour at most. HAWSER_API_KEY, when it is
    set, is sent as the bearer token.
    """
    from hawser.cli.talk import Talk
    from hawser.contract import load_deployment
    from hawser.serve.client import Client, base_url
    from hawser.serve.smoke import smoke as run

    deployment = load_deployment(options.checkout(), env)
    port = deployment.contract.api.port
    if url is None:
        raise UsageError(
            "smoke needs --url, the address at which the server answers",
            fix=f"Run `kubectl port-forward POD {port}:{port}`, then give --url http://127.0.0.1:{port}.",
        )
    client = Client(base_url(url), _key())
    talk = Talk()
    checks = run(deployment.contract, client, entry=entry, tell=lambda name: talk.count(f"smoke: {name}"))
    talk.done()
    failed = any(check.verdict == "fail" for check in checks)
    if as_json:
        document = {
            "schema": "hawser.smoke/1",
            "environment": env,
            "deployment": deployment.digest,
            "url": client.base,
            "entry": entry,
            "verdict": "fail" if failed else "pass",
            "checks": [{**asdict(check), "seconds": round(check.seconds, 3)} for check in checks],
        }
        click.echo(json.dumps(document, indent=2))
    else:
        _show(checks, f"{env} at {client.base}")
    return int(Exit.CHECK_FOUND if failed else Exit.OK)


def _key() -> str | None:
    key = os.environ.get(KEY_VARIABLE)
    if key and not (key.isascii() and key.isprintable() and " " not in key):
        raise UsageError(f"{KEY_VARIABLE} holds characters that no key has", fix="Set it without spaces and line ends.")
    return key or None


def _show(checks: Sequence[Check], what: str) -> None:
    """A row for each check, the sentence wrapped into its column, and how many came out how."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    styles = {"pass": "green", "fail": "bold red", "skip": "dim"}
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in range(2):
        table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, justify="right")
    table.add_column(overflow="fold")
    for check in checks:
        took = f"{check.seconds:.1f} s" if check.verdict != "skip" else ""
        word = "FAIL" if check.verdict == "fail" else check.verdict
        table.add_row(Text(word, style=styles[check.verdict]), check.name, took, Text(check.sentence))
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    width = shutil.get_terminal_size((_WIDTH, 24)).columns
    console = Console(width=max(width, _NARROWEST), color_system="standard" if coloured else None)
    with console.capture() as capture:
        console.print(table)
    click.echo("\n".join(line.rstrip() for line in capture.get().splitlines()), color=coloured)
    count = {verdict: sum(check.verdict == verdict for check in checks) for verdict in styles}
    click.echo(f"{what}: {count['pass']} passed, {count['fail']} failed, {count['skip']} skipped")
