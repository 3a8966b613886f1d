"""Data goes one way, so imports do: facts < contract < sizing < render < terraform < policy < decision < report."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "tooling" / "hawser"
ORDER = ["facts", "contract", "sizing", "render", "terraform", "policy", "decision", "report"]
#: Joined to the path only in cli: they know the errors and the file writer, and each what stands here.
ASIDE: dict[str, set[str]] = {
    "toolchain": {"facts"},
    "emulator": {"toolchain"},
    "aws": set(),
    "serve": {"facts", "contract"},
}
#: Modules at the root that everybody may import.
ROOT = {"errors", "files"}


def imports(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""] if node.module != "hawser" else [f"hawser.{a.name}" for a in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("hawser.")}
    return found


@pytest.mark.parametrize("package", [*ORDER, *ASIDE])
def test_direction(package: str) -> None:
    allowed = ROOT | {package} | (set(ORDER[: ORDER.index(package)]) if package in ORDER else ASIDE[package])
    wrong = {
        f"{file.relative_to(PACKAGE)} imports {name}"
        for file in (PACKAGE / package).rglob("*.py")
        for name in imports(file) - allowed
        if name != "__version__"
    }
    assert not wrong


def test_every_package_has_a_place_in_the_order() -> None:
    packages = {p.name for p in PACKAGE.iterdir() if p.is_dir() and (p / "__init__.py").is_file()}
    assert packages == {*ORDER, *ASIDE, "cli"}


def test_only_the_runner_imports_python_terraform() -> None:
    users = {
        f.relative_to(PACKAGE).as_posix() for f in PACKAGE.rglob("*.py") if "import python_terraform" in f.read_text()
    }
    assert users == {"terraform/runner.py"}


#: What runs in pods: data of the package, which nothing of it imports.
IN_PODS = "render/manifests/scripts/"


def test_only_aws_imports_the_sdk() -> None:
    files = {f.relative_to(PACKAGE).as_posix() for f in PACKAGE.rglob("*.py") if "import boto" in f.read_text()}
    assert {file.partition("/")[0] for file in files if not file.startswith(IN_PODS)} == {"aws"}


def test_nothing_below_cli_leaves_the_process_or_prints() -> None:
    #: These two run inside environments of their own, as programs.
    programs = {"policy/checkov_worker.py", "emulator/ministack_main.py", "emulator/moto_main.py"}
    wrong = set()
    for file in PACKAGE.rglob("*.py"):
        name = file.relative_to(PACKAGE).as_posix()
        if name.startswith(("cli/", IN_PODS)) or name in programs:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("print", "sys.exit", "exit", "click.echo"):
                wrong.add(f"{name}:{node.lineno}")
    assert not wrong
