"""An emulator of its own for the tests of this folder, one per worker process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config

from hawser.emulator import Emulator, down, environment, up

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def emulator_python(venvs: Path) -> Path:
    """The python of the emulator's environment."""
    return venvs / "emulator" / "bin" / "python"


@pytest.fixture(scope="session")
def emulator(emulator_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulator]:
    home = tmp_path_factory.mktemp("emulator") / ".hawser"
    try:
        yield up(home, emulator_python)
    finally:
        down(home)


@pytest.fixture
def client(emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """``client(service, account, region)``: a boto3 client that learns everything from the environment."""
    made = []

    def make(service: str, account: str = "111122223333", region: str = "us-west-2") -> Any:
        for name in [name for name in os.environ if name.startswith("AWS_")]:
            monkeypatch.delenv(name)
        for name, value in {**environment(emulator, account, region), "NO_PROXY": "127.0.0.1"}.items():
            monkeypatch.setenv(name, value)
        config = Config(retries={"total_max_attempts": 1}, s3={"addressing_style": "path"})
        made.append(boto3.session.Session().client(service, config=config))
        return made[-1]

    yield make
    for one in made:
        one.close()
