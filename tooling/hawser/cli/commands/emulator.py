"""``hawser emulator up|status|down``."""

from __future__ import annotations

from pathlib import Path

import click

from hawser.cli import options
from hawser.errors import Exit


@click.group()
def command() -> None:
    """The embedded AWS emulator: one per checkout, on loopback only; it forgets everything when it stops."""


@command.command()
def up() -> int:
    """Start it, or say that it runs."""
    from hawser.emulator.process import up as start
    from hawser.toolchain.python_env import ensure_venv

    root = options.checkout()
    python = ensure_venv(_home(root), "emulator", root / "tooling" / "locks" / "emulator.txt")
    running = start(_home(root), python)
    click.echo(f"emulator: running on 127.0.0.1:{running.ministack_port} and 127.0.0.1:{running.moto_port}")
    return 0


@command.command()
def status() -> int:
    """Whether it runs; exit 8 when it does not."""
    from hawser.emulator.process import status as ask

    running = ask(_home(options.checkout()))
    if running is None:
        click.echo("emulator: not running")
        return int(Exit.CHECK_FOUND)
    click.echo(f"emulator: running on 127.0.0.1:{running.ministack_port} and 127.0.0.1:{running.moto_port}")
    return 0


@command.command()
def down() -> int:
    """Stop it; its world is gone."""
    from hawser.emulator.process import down as stop

    click.echo("emulator: stopped" if stop(_home(options.checkout())) else "emulator: was not running")
    return 0


def _home(root: Path) -> Path:
    home = root / ".hawser"
    home.mkdir(mode=0o700, exist_ok=True)
    return home
