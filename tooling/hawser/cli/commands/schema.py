"""``hawser schema``: JSON Schemas of the input files, for editors."""

from __future__ import annotations

import click

from hawser.cli import options
from hawser.errors import Exit

_FOLDER = "environments/schema"
_PATTERN = "*.schema.json"


@click.command("schema")
@click.argument("name", type=click.Choice(["contract", "env", "waivers"]), required=False)
@click.option("--check", is_flag=True, help="Write nothing; exit 8 when a committed schema is not up to date.")
def command(name: str | None, check: bool) -> int:
    """Print the JSON Schema of NAME; without NAME write all of them to environments/schema.

    The first line of each shipped file names its schema, so editors complete and check while one types.
    """
    from hawser.contract.schema import json_schemas
    from hawser.render.generated import stale_files, write_files

    schemas = json_schemas()
    if name:
        click.echo(schemas[f"{name}.schema.json"].decode(), nl=False)
        return Exit.OK
    folder = options.checkout() / _FOLDER
    if check:
        stale = stale_files(folder, schemas, _PATTERN)
        for line in stale:
            click.echo(f"{_FOLDER}/{line}")
        if stale:
            click.echo(f"hawser: {_FOLDER} is not up to date\n  → Run `hawser schema` and commit it.", err=True)
            return Exit.CHECK_FOUND
        click.echo(f"{_FOLDER} is up to date.")
        return Exit.OK
    for line in write_files(folder, schemas, _PATTERN) or ("nothing to do: it is up to date",):
        click.echo(f"{_FOLDER}: {line}")
    return Exit.OK
