"""The runbooks quote what hawser really says."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from hawser.cli.main import COMMANDS

ROOT = Path(__file__).parents[2]
RUNBOOKS = sorted((ROOT / "docs/runbooks").glob("*.md"))


def said() -> str:
    """Every text in the sources, one line each; what is filled in when it is said is ``<>``."""
    texts = []
    for file in (ROOT / "tooling/hawser").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                texts.append("".join(str(v.value) if isinstance(v, ast.Constant) else "<>" for v in node.values))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.append(node.value)
    return "\n".join(texts)


def quoted(text: str) -> list[str]:
    """The quotes: lines of ``text`` blocks, and the first cells of a table headed "hawser says"."""
    found = [line for block in re.findall(r"```text\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    if "| hawser says |" in text:
        found += re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)
    return [re.sub(r"<[^>]*>", "<>", line.strip()) for line in found]


def test_every_runbook_is_listed() -> None:
    index = (ROOT / "docs/runbooks/README.md").read_text(encoding="utf-8")
    assert {file.name for file in RUNBOOKS} - {"README.md"} == set(re.findall(r"\(([a-z-]+\.md)\)", index))


def test_what_is_quoted_is_said() -> None:
    sources = said()
    quotes = {file.name: quoted(file.read_text(encoding="utf-8")) for file in RUNBOOKS}
    assert sum(map(len, quotes.values())) >= 18
    assert [(name, quote) for name, lines in quotes.items() for quote in lines if quote not in sources] == []


@pytest.mark.parametrize("file", RUNBOOKS, ids=lambda file: file.name)
def test_commands_exist(file: Path) -> None:
    assert set(re.findall(r"`hawser ([a-z]+)", file.read_text(encoding="utf-8"))) <= set(COMMANDS)
