"""The tables in the README of every stack and module: inputs and outputs, read from its sources with python-hcl2."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from hawser.errors import HawserError

#: Files that declare variables, in the order of the table.
_VARIABLES: Final = ("variables.tf", "upstream.tf")
_HEREDOC: Final = re.compile(r"^<<[-~]?(\w+)\n(.*)\n\s*\1$", re.DOTALL)
#: From the heading of the inputs to the heading after the outputs.
_TABLES: Final = re.compile(r"^## Inputs\n.*?^## Outputs\n.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)


def readme(folder: Path) -> str:
    """The README of a stack or module with both tables as its sources have them; the rest as it is.

    Raises ``HawserError`` when the README has no headings ``## Inputs`` and ``## Outputs``, or a source is not HCL.
    """
    path = folder / "README.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if not _TABLES.search(text):
        raise HawserError(
            f"{folder.parent.name}/{folder.name}/README.md has no headings `## Inputs` and `## Outputs`",
            fix="Write both; `make docs` fills them.",
        )
    tables = f"## Inputs\n\n{_inputs(folder)}\n## Outputs\n\n{_outputs(folder)}\n"
    return _TABLES.sub(lambda _: tables, text).rstrip("\n") + "\n"


def _inputs(folder: Path) -> str:
    rows = ["| name | type | default | meaning |", "|---|---|---|---|"]
    for file in _VARIABLES:
        for name, body in _blocks(folder / file, "variable"):
            default = f"`{_plain(body['default'])}`" if "default" in body else "required"
            rows.append(f"| `{name}` | `{_kind(body.get('type', 'any'))}` | {default} | {_words(body)} |")
    return _table(rows)


def _outputs(folder: Path) -> str:
    rows = ["| name | meaning |", "|---|---|"]
    rows += [f"| `{name}` | {_words(body)} |" for name, body in _blocks(folder / "outputs.tf", "output")]
    return _table(rows)


def _table(rows: list[str]) -> str:
    return "None.\n" if len(rows) == 2 else "\n".join(rows) + "\n"


def _blocks(file: Path, kind: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    import hcl2

    if not file.is_file():
        return
    try:
        document = hcl2.loads(file.read_text(encoding="utf-8"))
    except Exception as error:
        raise HawserError(
            f"{file.parent.name}/{file.name} cannot be read as HCL ({type(error).__name__})",
            fix="Run `terraform validate` there.",
        ) from None
    for block in document.get(kind, []):
        for quoted, body in block.items():
            yield quoted.strip('"'), body


def _kind(type_: str) -> str:
    """``list(object({...}))`` without what is in the object: the description says that."""
    whole = type_.removeprefix("${").removesuffix("}") if type_.startswith("${") else type_
    outer, brace, _ = whole.partition("({")
    return outer + ")" * outer.count("(") if brace else whole


def _plain(default: Any) -> str:
    if isinstance(default, str):
        return default.removeprefix("${").removesuffix("}") if default.startswith("${") else default
    return json.dumps(default, ensure_ascii=False)


def _words(body: Mapping[str, Any]) -> str:
    """A description on one line, fit for a cell."""
    text = str(body.get("description", "")).strip('"')
    if match := _HEREDOC.match(text):
        text = match[2]
    return " ".join(text.replace('\\"', '"').split()).replace("|", "\\|")
