"""``hawser serve``: one file per subcommand."""

from __future__ import annotations

import click

from hawser.cli.commands.serve.smoke import smoke


@click.group()
def command() -> None:
    """Check a served model through its OpenAI-compatible API."""


command.add_command(smoke)
