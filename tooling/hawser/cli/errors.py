"""The one exception boundary: failures become one sentence on stderr and an exit code of the table."""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

import click

from hawser.errors import Exit, HawserError


def boundary(command: click.Command) -> NoReturn:
    """Run ``command`` and leave the process. Nothing above sees an exception, nobody sees a traceback.

    ``HAWSER_TRACEBACK=1`` lets the exception through, for developers.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends like Ctrl-C, so that everything is closed
    try:
        result = command.main(standalone_mode=False, prog_name="hawser")
    except click.exceptions.Exit as leaving:
        _leave(leaving.exit_code)
    except click.Abort:
        _leave(Exit.INTERRUPTED)
    except click.ClickException as error:
        error.show()
        _leave(Exit.USAGE)
    except HawserError as error:
        tell(error)
        _leave(error.exit_code)
    except KeyboardInterrupt:
        click.echo("hawser: interrupted", err=True)
        _leave(Exit.INTERRUPTED)
    except BrokenPipeError:
        _quiet_stdout()
        _leave(Exit.TOOL_FAILED)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        tell(
            HawserError(f"{where}{error.strerror or error}", fix="Make the place readable and writable, and not full.")
        )
        _leave(Exit.TOOL_FAILED)
    except RecursionError:
        tell(HawserError("the input is nested too deeply to be judged", fix="Make the plan or file again."))
        _leave(Exit.CANNOT_JUDGE)
    except Exception as error:
        if os.environ.get("HAWSER_TRACEBACK"):
            raise
        # The text of an unexpected exception may quote a value of a plan, so only its kind and place are told.
        click.echo(f"hawser: internal fault: {type(error).__name__} in {_place(error)}", err=True)
        click.echo("  → Set HAWSER_TRACEBACK=1 to see all of it (it may show values), and report it.", err=True)
        _leave(Exit.TOOL_FAILED)
    _leave(result if isinstance(result, int) else Exit.OK)


def tell(error: HawserError) -> None:
    """Say on stderr what is wrong and what to do."""
    click.echo(f"hawser: {_harmless(error.message)}", err=True)
    if error.fix:
        click.echo(f"  → {_harmless(error.fix)}", err=True)


def _harmless(text: str) -> str:
    """Text that may quote a name from a plan or a file: no control characters, no commands for a CI runner."""
    lines = []
    for line in text.split("\n"):
        plain = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line)
        bare = plain.lstrip()
        lines.append(plain.replace("::", ": :", 1) if bare.startswith("::") else plain.replace("##[", "# #["))
    return "\n".join(lines)


def _place(error: Exception) -> str:
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return "hawser"
    code = traceback.tb_frame.f_code
    return f"{os.path.basename(code.co_filename)}:{traceback.tb_lineno}"  # noqa: PTH119


def _quiet_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _leave(code: int) -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(int(code))
