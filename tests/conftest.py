"""What several folders of tests share: the environments of checkov and the emulator, set up once per checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

from hawser.toolchain.python_env import ensure_venv

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def venvs() -> Path:
    """The folder that holds the environments ``checkov`` and ``emulator``, both ready."""
    for name in ("checkov", "emulator"):
        ensure_venv(ROOT / ".hawser", name, ROOT / "tooling" / "locks" / f"{name}.txt")
    return ROOT / ".hawser" / "venv"
