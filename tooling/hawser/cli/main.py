"""The entry point: finds the command's file by its name and imports only that."""

from __future__ import annotations

import importlib

import click

from hawser import __version__
from hawser.cli.errors import boundary

#: Command -> one line of help. A name is the module ``cli/commands/<name>`` that holds ``command``.
COMMANDS = {
    "check": "Check contract and environment; all errors at once.",
    "fit": "Does the model fit, and when is it ready: memory and the chain of limits.",
    "render": "Write (or compare) what contract and environment determine.",
    "schema": "Print or write the JSON Schemas of the input files, for editors.",
    "plan": "Plan an environment and judge the plan.",
    "pr": "Plan what a pull request changes: one verdict, one comment.",
    "gate": "Judge any plan with the same gate.",
    "show": "Show the newest bundle of each stack.",
    "bundle": "Push bundles to the state bucket, and pull them from it.",
    "approve": "Approve exactly the plan that was reviewed.",
    "apply": "Apply exactly the plan that was approved.",
    "destroy": "Destroy an environment by the same path.",
    "bootstrap": "Move the state of an account's bootstrap into the bucket that it made.",
    "policy": "List, explain and test the rules.",
    "serve": "Render and judge the objects of a model server, and check what it serves.",
    "emulator": "Start, show and stop the embedded AWS emulator.",
    "doctor": "What hawser found on this machine, and what is wrong.",
}


class Commands(click.Group):
    """Imports a command's module only when it is asked for, so that ``--help`` is instant."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Commands in the order in which they are used."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command called ``name``, or nothing."""
        if name not in COMMANDS:
            return None
        command = importlib.import_module(f"hawser.cli.commands.{name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands from the table above: nothing is imported for it."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="hawser")
def cli() -> None:
    """From one contract file to reviewed, policy-checked, exactly-applied infrastructure on AWS.

    The path: check → render → plan → (approve) → apply. ENV is a folder under environments/.

    \b
    Exit codes: 0 done · 1 the tool failed · 2 wrong usage · 3 contract invalid · 4 denied by policy
    5 could not judge · 6 no valid approval · 7 terraform failed · 8 a check found something · 130 interrupted
    """  # noqa: D301 - click reads the backspace


def main() -> None:
    """Run the command line; leave with an exit code of the table."""
    boundary(cli)
