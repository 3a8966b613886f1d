"""The tables in the README of a module or stack are its variables and outputs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = sorted(f.parent for f in (*ROOT.glob("terraform/*/versions.tf"), *ROOT.glob("modules/*/versions.tf")))


def declared(folder: Path, kind: str) -> list[tuple[str, str]]:
    """Name and description of each ``variable`` or ``output``; inputs from another stack come last."""
    files = sorted(folder.glob("*.tf"), key=lambda file: (file.name == "upstream.tf", file.name))
    found = []
    for file in files:
        blocks = rf'^{kind} "(\w+)" \{{\n  description = (?:"((?:[^"\\]|\\.)*)"|<<-EOT\n(.*?)\n  EOT)'
        found += re.findall(blocks, file.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [(name, text.replace('\\"', '"') or " ".join(long.split())) for name, text, long in found]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_tables_are_what_is_declared(folder: Path) -> None:
    readme = (folder / "README.md").read_text(encoding="utf-8")
    inputs, outputs = (readme.partition(f"## {title}\n")[2].partition("\n## ")[0] for title in ("Inputs", "Outputs"))
    rows = dict(re.findall(r"^\| `(\w+)` \| `[^|]*` \| [^|]+ \| (.*) \|$", inputs, re.MULTILINE))
    assert rows == dict(declared(folder, "variable"))
    assert dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", outputs, re.MULTILINE)) == dict(declared(folder, "output"))
