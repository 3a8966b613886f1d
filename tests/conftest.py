"""What several folders of tests share: the environments of checkov and the emulator, set up once per checkout."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import pytest

from hawser.toolchain.python_env import ensure_venv

ROOT = Path(__file__).parents[1]

# No test asserts seconds, so hypothesis must not either. In CI the same inputs are tried every time: a new one that
# fails belongs on the desk of whoever runs the tests, not into somebody's pull request.
hypothesis.settings.register_profile("hawser", deadline=None, derandomize=bool(os.environ.get("CI")))
hypothesis.settings.load_profile("hawser")


@pytest.fixture(scope="session")
def venvs() -> Path:
    """The folder that holds the environments ``checkov`` and ``emulator``, both ready."""
    for name in ("checkov", "emulator"):
        ensure_venv(ROOT / ".hawser", name, ROOT / "tooling" / "locks" / f"{name}.txt")
    return ROOT / ".hawser" / "venv"
