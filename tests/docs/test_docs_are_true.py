"""Documents are true: generated ones are fresh, and what the README names exists."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hawser.cli.docs import documents
from hawser.cli.main import COMMANDS
from hawser.contract.schema import json_schemas
from hawser.errors import Exit

ROOT = Path(__file__).parents[2]
DOCUMENTS = documents(ROOT)
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_generated_documents_are_fresh(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == DOCUMENTS[name], "run `make docs`"


@pytest.mark.parametrize("name", sorted(json_schemas()))
def test_schemas_for_editors_are_fresh(name: str) -> None:
    assert (ROOT / "environments/schema" / name).read_bytes() == json_schemas()[name], "run `hawser schema`"


def test_targets_and_commands_of_the_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"make ([a-z-]+)", README)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for command in set(re.findall(r"hawser ([a-z]+) ", README)) & {"plan", "gate", "check", "render", "show", "apply"}:
        assert command in COMMANDS


def test_links_of_the_documents_lead_somewhere() -> None:
    for file in (ROOT / "README.md", *ROOT.glob("docs/**/*.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", file.read_text(encoding="utf-8")):
            assert (file.parent / target).exists(), f"{file.name} -> {target}"


def test_the_table_of_exit_codes_is_the_codes() -> None:
    rows = {int(code) for code in re.findall(r"^\| (\d+) \| ", README, re.MULTILINE)}
    assert rows == {int(code) for code in Exit}


def test_every_folder_of_code_explains_itself() -> None:
    for folder in (*ROOT.glob("terraform/*/"), *ROOT.glob("modules/*/")):
        assert (folder / "README.md").is_file(), folder.name
    for package in (ROOT / "tooling/hawser").rglob("__init__.py"):
        assert package.read_text(encoding="utf-8").startswith('"""'), package


def test_rules_named_in_the_documents_exist() -> None:
    from hawser.policy.known import OTHERS
    from hawser.policy.registry import all_rules

    known = {meta.id for meta in (*(rule.meta for rule in all_rules()), *OTHERS)}
    for file in (ROOT / "README.md", ROOT / "docs/traps.md", *ROOT.glob("docs/adr/*.md")):
        assert set(re.findall(r"HW-[A-Z]+-\d{3}", file.read_text(encoding="utf-8"))) <= known, file.name


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from hawser.cli.main import cli; cli.main(['--help'], standalone_mode=False);"
        "heavy = {'boto3', 'botocore', 'pydantic', 'rich', 'yaml', 'hcl2', 'lark', 'python_terraform'};"
        "sys.exit(1 if heavy & set(sys.modules) else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, env={"PYTHONPATH": "tooling"})
    assert done.returncode == 0, done.stderr
