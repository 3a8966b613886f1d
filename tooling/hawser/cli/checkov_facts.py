"""Asks the pinned checkov which checks it has and writes ``facts/checkov.yaml``: ``make checkov-facts``."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import click

from hawser.cli import options
from hawser.errors import CannotJudgeError
from hawser.facts.checkov import FILE, facts_text
from hawser.files import write_atomically
from hawser.policy.checkov import WORKER
from hawser.toolchain.python_env import ensure_venv


def titles(python: Path) -> tuple[str, Mapping[str, str]]:
    """Version and checks of the checkov that ``python`` has. Raises ``CannotJudgeError`` when it does not say."""
    answer = subprocess.run([str(python), "-I", str(WORKER), "titles"], capture_output=True, check=False)
    try:
        said = json.loads(answer.stdout)
        version, found, errors = said["version"], said["titles"], said["errors"]
    except (ValueError, KeyError, TypeError):
        raise CannotJudgeError("checkov does not say which checks it has", fix="Run `hawser doctor`.") from None
    if errors:
        raise CannotJudgeError(f"checkov could not load all its checks: {errors[0]}", fix="Run `hawser doctor`.")
    return version, found


def main() -> None:
    """Write the file anew."""
    root = options.checkout()
    python = ensure_venv(root / ".hawser", "checkov", root / "tooling" / "locks" / "checkov.txt")
    write_atomically(FILE, facts_text(*titles(python), datetime.now(UTC).date().isoformat()).encode())
    click.echo(f"wrote {FILE.relative_to(root)}")


if __name__ == "__main__":
    main()
