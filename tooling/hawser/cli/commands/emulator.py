"""``hawser emulator up|status|down``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hawser.cli import options
from hawser.errors import Exit

if TYPE_CHECKING:
    from hawser.emulator.process import Emulator


@click.group()
def command() -> None:
    """The embedded AWS emulator: one per checkout, on loopback only; it forgets everything when it stops."""


@command.command()
@options.json_output
def up(as_json: bool) -> int:
    """Start it, or say that it runs."""
    from hawser.emulator.process import up as start
    from hawser.toolchain.python_env import ensure_venv

    root = options.checkout()
    python = ensure_venv(_home(root), "emulator", root / "tooling" / "locks" / "emulator.txt")
    _say(start(_home(root), python), as_json)
    return 0


@command.command()
@options.json_output
def status(as_json: bool) -> int:
    """Whether it runs; exit 8 when it does not."""
    from hawser.emulator.process import status as ask

    running = ask(_home(options.checkout()))
    _say(running, as_json)
    return int(Exit.OK if running else Exit.CHECK_FOUND)


@command.command()
def down() -> int:
    """Stop it; its world is gone."""
    from hawser.emulator.process import down as stop

    click.echo("emulator: stopped" if stop(_home(options.checkout())) else "emulator: was not running")
    return 0


def _say(running: Emulator | None, as_json: bool) -> None:
    if as_json:
        ports = {"ministack_port": running.ministack_port, "moto_port": running.moto_port} if running else {}
        click.echo(json.dumps({"schema": "hawser.emulator/1", "running": bool(running), **ports}, indent=2))
    elif running:
        click.echo(f"emulator: running on 127.0.0.1:{running.ministack_port} and 127.0.0.1:{running.moto_port}")
    else:
        click.echo("emulator: not running")


def _home(root: Path) -> Path:
    home = root / ".hawser"
    home.mkdir(mode=0o700, exist_ok=True)
    return home
