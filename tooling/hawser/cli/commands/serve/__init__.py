"""``hawser serve``: one file per subcommand."""

from __future__ import annotations

import click

from hawser.cli.commands.serve.lint import lint
from hawser.cli.commands.serve.render import render
from hawser.cli.commands.serve.smoke import smoke


@click.group()
def command() -> None:
    """Render and judge the objects of a model server, and check what it serves."""


command.add_command(render)
command.add_command(lint)
command.add_command(smoke)
