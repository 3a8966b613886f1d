"""What several folders of tests share: the environments of checkov and the emulator, set up once per checkout."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import hypothesis
import pytest

from hawser.toolchain.python_env import ensure_venv

ROOT = Path(__file__).parents[1]

# No test asserts seconds, so hypothesis must not either. In CI the same inputs are tried every time: a new one that
# fails belongs on the desk of whoever runs the tests, not into somebody's pull request.
hypothesis.settings.register_profile("hawser", deadline=None, derandomize=bool(os.environ.get("CI")))
hypothesis.settings.load_profile("hawser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The end-to-end tests first, which take minutes: half of them at the start of each of two workers' share.

    What is left at the end is short, and whoever is done takes some of it.
    """
    long = [item for item in items if item.get_closest_marker("e2e")]
    short = [item for item in items if not item.get_closest_marker("e2e")]
    middle = len(short) // 2
    items[:] = [*long[::2], *short[:middle], *long[1::2], *short[middle:]]


@pytest.fixture(scope="session")
def venvs() -> Path:
    """The folder that holds the environments ``checkov`` and ``emulator``, both ready."""
    with ThreadPoolExecutor() as pool:
        list(pool.map(_ensure, ("checkov", "emulator")))
    return ROOT / ".hawser" / "venv"


def _ensure(name: str) -> None:
    ensure_venv(ROOT / ".hawser", name, ROOT / "tooling" / "locks" / f"{name}.txt")
