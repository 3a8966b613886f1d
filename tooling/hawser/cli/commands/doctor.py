"""``hawser doctor``."""

from __future__ import annotations

import json

import click

from hawser.cli import options
from hawser.errors import Exit


@click.command()
@options.json_output
def command(as_json: bool) -> int:
    """What hawser found on this machine, which version, and what is wrong; exit 8 when something is."""
    from hawser.toolchain.doctor import examine

    root = options.checkout()
    stacks = sorted(f.parent for f in (root / "terraform").glob("*/versions.tf"))
    checks = examine(root / ".hawser", root / "tooling" / "locks", stacks)
    wrong = [check for check in checks if not check.ok]
    if as_json:
        rows = [{"name": c.name, "ok": c.ok, "found": c.found, "detail": c.detail, "fix": c.fix} for c in checks]
        click.echo(json.dumps({"schema": "hawser.doctor/1", "checks": rows}, indent=2))
    else:
        width = max(len(check.name) for check in checks)
        for check in checks:
            click.echo(f"{'ok   ' if check.ok else 'WRONG'} {check.name:<{width}}  {check.found}".rstrip())
            if check.detail:
                click.echo(f"      {'':<{width}}  {check.detail}")
            if not check.ok:
                click.echo(f"      {'':<{width}}  → {check.fix}")
    return int(Exit.CHECK_FOUND if wrong else Exit.OK)
