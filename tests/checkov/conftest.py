"""The real checkov, in its own Python environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from hawser.policy.checkov import pinned_version

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "tooling" / "locks" / "checkov.txt"


@pytest.fixture(scope="session")
def checkov_python(venvs: Path) -> Path:
    return venvs / "checkov" / "bin" / "python"


@pytest.fixture(scope="session")
def checkov_version() -> str:
    return pinned_version(LOCK)
