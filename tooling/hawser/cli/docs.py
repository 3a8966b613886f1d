"""Writes the generated documents: ``make docs``. A test compares them with what is committed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click

from hawser.cli import options
from hawser.cli.main import COMMANDS, cli
from hawser.contract.schema import json_schemas
from hawser.files import write_atomically
from hawser.policy.docs import render_policies
from hawser.report.schema import schema_text
from hawser.terraform.readme import readme

_GENERATED: Final = "<!-- Generated; do not edit. Run `make docs` to write it anew. -->"

_INPUT: Final = """\
The contract says what runs and is the same everywhere; an environment says where it runs. `hawser check ENV` names
every mistake of both at once. Editors complete and check with the schemas in `environments/schema`.
"""


def documents(root: Path) -> dict[str, str]:
    """Every generated document by its path in the checkout ``root``; the same text for the same sources."""
    folders = sorted(file.parent for part in ("terraform", "modules") for file in root.glob(f"{part}/*/versions.tf"))
    return {
        **{str((folder / "README.md").relative_to(root)): readme(folder) for folder in folders},
        "docs/cli.md": _command_line(),
        "docs/contract.md": _contract(),
        "docs/policies.md": render_policies(),
        "docs/report.schema.json": schema_text(),
    }


def _command_line() -> str:
    context = click.Context(cli, info_name="hawser")
    parts = [_GENERATED, "# Command line\n", _help(cli, context)]
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context)
        parts.append(f"## hawser {name}\n")
        parts.append(_help(command, inner))
        if isinstance(command, click.Group):
            for sub, subcommand in sorted(command.commands.items()):
                parts.append(f"### hawser {name} {sub}\n")
                parts.append(_help(subcommand, click.Context(subcommand, info_name=sub, parent=inner)))
    return "\n".join(parts)


def _help(command: click.Command, context: click.Context) -> str:
    formatter = click.HelpFormatter(width=100)
    command.format_help(context, formatter)
    return f"```text\n{formatter.getvalue().rstrip()}\n```\n"


def _contract() -> str:
    schemas = {name: json.loads(text) for name, text in json_schemas().items()}
    parts = [
        _GENERATED,
        "# Input files\n",
        _INPUT,
    ]
    titles = {
        "contract.schema.json": "environments/contract.yaml",
        "env.schema.json": "environments/ENV/env.yaml",
        "waivers.schema.json": "environments/ENV/waivers.yaml",
    }
    for name, title in titles.items():
        parts += [f"## {title}\n", "| field | type | meaning |", "|---|---|---|"]
        parts += [f"| `{path}` | {kind} | {text} |" for path, kind, text in _fields(schemas[name], schemas[name], "")]
        parts.append("")
    return "\n".join(parts)


def _fields(schema: Mapping[str, Any], node: Mapping[str, Any], path: str) -> Iterator[tuple[str, str, str]]:
    for name, field in node.get("properties", {}).items():
        here = f"{path}.{name}" if path else name
        target, suffix = _inside(schema, field)
        if here == "overrides":
            yield here, "table", _cell(field.get("description", ""))
        elif target is not None:
            yield from _fields(schema, target, f"{here}{suffix}")
        else:
            optional = "" if name in node.get("required", []) else ", optional"
            yield here, f"{_kind(schema, field)}{optional}", _cell(field.get("description", ""))


def _inside(schema: Mapping[str, Any], field: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, str]:
    """The object that a field holds, or a map or list of; with what stands for its key."""
    if "$ref" in field:
        return schema["$defs"][field["$ref"].rsplit("/", 1)[1]], ""
    for keyword, suffix in (("additionalProperties", ".NAME"), ("items", "[]")):
        inner = field.get(keyword)
        if isinstance(inner, dict) and "$ref" in inner:
            return schema["$defs"][inner["$ref"].rsplit("/", 1)[1]], suffix
    return None, ""


def _kind(schema: Mapping[str, Any], field: Mapping[str, Any]) -> str:
    del schema
    if "enum" in field:
        return " \\| ".join(f"`{value}`" for value in field["enum"])
    if "const" in field:
        return f"`{field['const']}`"
    if "anyOf" in field:
        return next((_kind({}, option) for option in field["anyOf"] if option.get("type") != "null"), "any")
    kind = str(field.get("type", "any"))
    if kind == "array":
        return f"list of {_kind({}, field.get('items', {}))}"
    if kind == "object" and isinstance(field.get("additionalProperties"), dict):
        return f"map of {_kind({}, field['additionalProperties'])}"
    return {"object": "table", "integer": "whole number"}.get(kind, kind)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def main() -> None:
    """Write every generated document that differs."""
    root = options.checkout()
    for name, text in documents(root).items():
        path = root / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            write_atomically(path, text.encode())
            click.echo(f"wrote {name}")


if __name__ == "__main__":
    main()
