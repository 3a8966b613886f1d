"""What several folders of tests share: the environments of their own, set up once per checkout."""

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


def workers() -> int:
    """More than there are cores: tests wait for retries of AWS's provider about as long as they compute."""
    return (os.cpu_count() or 2) * 3 // 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """What ``-n auto`` means here."""
    return workers()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests that take minutes first, shared out over the workers: each begins with an equal part of the list.

    What is left at the end is short, and whoever is done takes some of it.
    """
    shares: list[list[pytest.Item]] = [[] for _ in range(workers())]
    long = sorted((item for item in items if _minutes(item)), key=_minutes, reverse=True)
    for item in long:
        min(shares, key=lambda share: sum(map(_minutes, share))).append(item)
    short = [item for item in items if not _minutes(item)]
    size = -(-len(items) // len(shares))
    items.clear()
    for share in shares:
        rest = size - len(share)
        items += [*share, *short[:rest]]
        short = short[rest:]


def _minutes(item: pytest.Item) -> int:
    """About how many minutes a test takes: ``@pytest.mark.e2e(minutes=5)``."""
    marker = item.get_closest_marker("e2e")
    return marker.kwargs.get("minutes", 1) if marker else 0


@pytest.fixture(scope="session")
def venvs() -> Path:
    """The folder that holds the environments ``checkov`` and ``emulator``, both ready."""
    with ThreadPoolExecutor() as pool:
        list(pool.map(_ensure, ("checkov", "emulator")))
    return ROOT / ".hawser" / "venv"


@pytest.fixture(scope="session")
def tinyserver_python() -> Path:
    """The python of the environment ``tinyserver``: a real model server, and what writes its model."""
    _ensure("tinyserver")
    return ROOT / ".hawser" / "venv" / "tinyserver" / "bin" / "python"


def _ensure(name: str) -> None:
    ensure_venv(ROOT / ".hawser", name, ROOT / "tooling" / "locks" / f"{name}.txt")
