from __future__ import annotations

import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the shipped environments, free to be changed."""
    shutil.copytree(ROOT / "environments", tmp_path / "environments")
    shutil.copytree(ROOT / "tooling/locks", tmp_path / "tooling/locks")  # by which hawser knows a checkout
    return tmp_path
