"""The real checkov, in its own Python environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from hawser.policy.checkov import pinned_version
from hawser.toolchain import ensure_venv

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "tooling" / "locks" / "checkov.txt"


@pytest.fixture(scope="session")
def checkov_python() -> Path:
    python = ROOT / ".hawser" / "venv" / "checkov" / "bin" / "python"
    return python if python.exists() else ensure_venv(ROOT / ".hawser", "checkov", LOCK)


@pytest.fixture(scope="session")
def checkov_version() -> str:
    return pinned_version(LOCK)
