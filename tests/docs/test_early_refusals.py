"""The table of early refusals names runs that exist, and leaves out none of the modules it speaks of."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "docs/early-refusals.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| .+ \| ([a-z0-9-]+) \| `(\w+)` \|$", TABLE, re.MULTILINE)
FOLDERS = sorted({where for where, _ in ROWS})


def folder(name: str) -> Path:
    """The module, or the stack, of that name."""
    found = [path for part in ("modules", "terraform") if (path := ROOT / part / name).is_dir()]
    assert len(found) == 1, name
    return found[0]


def refused(name: str) -> dict[str, list[str]]:
    """Runs that must fail, with what they must fail at."""
    text = "".join(file.read_text(encoding="utf-8") for file in sorted(folder(name).glob("tests/*.tftest.hcl")))
    runs = re.findall(r'^run "(\w+)" \{\n(.*?)^\}', text, re.MULTILINE | re.DOTALL)
    failures = {run: re.search(r"expect_failures = \[(.*?)\]", body, re.DOTALL) for run, body in runs}
    return {run: re.findall(r"var\.(\w+)", found[1]) for run, found in failures.items() if found}


def validations(name: str) -> Counter[str]:
    """How many validations each variable has."""
    text = "".join(file.read_text(encoding="utf-8") for file in sorted(folder(name).glob("*.tf")))
    variables = re.findall(r'^variable "(\w+)" \{\n(.*?)^\}', text, re.MULTILINE | re.DOTALL)
    return Counter({variable: len(re.findall(r"^  validation \{", body, re.MULTILINE)) for variable, body in variables})


def test_there_is_a_table() -> None:
    everything = {file.parent.name for part in ("modules", "terraform") for file in ROOT.glob(f"{part}/*/versions.tf")}
    assert set(FOLDERS) == everything
    assert len(set(ROWS)) == len(ROWS) == TABLE.count("\n| ") - 1


@pytest.mark.parametrize("name", FOLDERS)
def test_the_table_holds_every_refused_run_and_no_other(name: str) -> None:
    assert {run for where, run in ROWS if where == name} == set(refused(name))


@pytest.mark.parametrize("name", ["gpu-node-group", "lustre-cache", "alarms"])
def test_every_validation_has_a_refused_run(name: str) -> None:
    runs = Counter(variable for variables in refused(name).values() for variable in variables)
    missing = {variable for variable, count in validations(name).items() if runs[variable] < count}
    assert not missing
