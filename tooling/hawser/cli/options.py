"""Arguments and options, each declared once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from click.shell_completion import CompletionItem

from hawser.errors import UsageError

#: Files that only a whole checkout has.
_MARKS: Final = ("environments/contract.yaml", "tooling/locks/checkov.txt")

F = TypeVar("F", bound=Callable[..., Any])


def checkout() -> Path:
    """The root of the checkout: the nearest one upwards from here, else the one that this hawser is installed from.

    Raises ``UsageError`` when there is neither.
    """
    here = Path.cwd().resolve()
    for folder in (here, *here.parents, Path(__file__).resolve().parents[3]):
        if all((folder / part).is_file() for part in _MARKS):
            return folder
        if (folder / _MARKS[1]).is_file():
            raise UsageError(f"{folder} has no readable {_MARKS[0]}", fix="Restore it from git.")
    raise UsageError(f"there is no checkout in {here} or above it", fix="Run hawser inside a checkout of the project.")


class EnvironmentName(click.ParamType[str]):
    """ENV: a folder under ``environments/``; completes in the shell."""

    name = "env"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Names of the environments that begin with what was typed."""
        from hawser.contract import environment_names

        try:
            names = environment_names(checkout())
        except UsageError:
            return []
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def environment(function: F) -> F:
    """``ENV``, given to the function as ``env``."""
    return click.argument("env", type=EnvironmentName())(function)


def json_output(function: F) -> F:
    """``--json``, given as ``as_json``: the result for machines on stdout, nothing else there."""
    return click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")(function)


def emulate(function: F) -> F:
    """``--emulate``: against the embedded emulator with an empty state."""
    return click.option(
        "--emulate", is_flag=True, help="Plan against the embedded emulator with an empty state; needs no account."
    )(function)


def stack(function: F) -> F:
    """``--stack``: one stack only."""
    return click.option("--stack", metavar="STACK", help="This stack only (bootstrap, platform, eks, hyperpod).")(
        function
    )


def bundle(function: F) -> F:
    """``--bundle``: the digest (or its first 8 characters or more) of the bundle that is meant."""
    return click.option("--bundle", metavar="DIGEST", help="The bundle with this digest, not the newest.")(function)


def fail_on(function: F) -> F:
    """``--fail-on needs-approval``: exit 4 also for that decision."""
    return click.option(
        "--fail-on", type=click.Choice(["needs-approval"]), help="Exit 4 also when the plan needs approval."
    )(function)


def reports(function: F) -> F:
    """``--report`` and ``--out``: which report files to write, and where."""
    function = click.option(
        "--report",
        "report",
        metavar="FORMS",
        help="Also write reports: md, summary, html, json, sarif, junit (comma-separated).",
    )(function)
    return click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for the report files.")(
        function
    )
