"""A world of its own for each test: a copy of the checkout, an emulator on free ports, an empty home."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hawser.emulator.process import status

ROOT = Path(__file__).parents[2]
HAWSER = Path(sys.executable).with_name("hawser")


@dataclass(frozen=True)
class Result:
    """What a command said and how it ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class World:
    """A checkout and a person at its keyboard."""

    root: Path

    def environment(self) -> dict[str, str]:
        """An empty home, no AWS credentials, and a TF_CLI_CONFIG_FILE that points to nothing."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root / "home"),
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(self.root / "tooling"),  # this world's own copy is what runs
            "AWS_EC2_METADATA_DISABLED": "true",
            "TF_CLI_CONFIG_FILE": str(self.root / "missing.tfrc"),
        }

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start hawser and leave it running."""
        return subprocess.Popen(
            [str(HAWSER), *arguments], cwd=self.root, env=self.environment(), text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def run(self, *arguments: str, code: int = 0) -> Result:
        """Run hawser to its end, which must be ``code``; a traceback is never right."""
        with self.start(*arguments) as process:
            out, err = process.communicate()
        assert process.returncode == code, f"hawser {' '.join(arguments)}: {process.returncode}\n{out}\n{err}"
        assert "Traceback" not in out + err
        return Result(process.returncode, out, err)

    def plan(self, env: str, *more: str, code: int = 0) -> dict[str, Any]:
        """The machine-readable reviews of ``hawser plan``, by stack."""
        result = self.run("plan", env, "--json", *more, code=code)
        return {review["stack"]: review for review in json.loads(result.out)["stacks"]}

    def edit(self, file: str, old: str, new: str) -> None:
        """Replace a text that stands exactly once in a file of the checkout."""
        path = self.root / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def bundle(self, env: str, stack: str) -> Path:
        """The folder of the newest real bundle."""
        folder = self.root / ".hawser" / env / stack
        return folder / (folder / "newest").read_text(encoding="utf-8").strip()

    @contextlib.contextmanager
    def emulated(self, service: str) -> Iterator[Any]:
        """A client of a service of the emulator."""
        import boto3

        emulator = status(self.root / ".hawser")
        assert emulator is not None
        client = boto3.client(
            service, endpoint_url=f"http://127.0.0.1:{emulator.ministack_port}", region_name="us-west-2",
            aws_access_key_id="111122223333", aws_secret_access_key="x",
        )  # fmt: skip
        try:
            yield client
        finally:
            client.close()

    def state_keys(self) -> list[str]:
        """Names of the objects in the bucket that holds the states, locks included."""
        with self.emulated("s3") as client:
            return sorted(o["Key"] for o in client.list_objects_v2(Bucket="hawser-emulator-state").get("Contents", []))


def git(root: Path, *arguments: str) -> None:
    """Run git as a person with a name."""
    person = ["-c", "user.name=Test", "-c", "user.email=test@example.com"]
    subprocess.run(["git", *person, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def world(tmp_path: Path, venvs: Path) -> Iterator[World]:
    """A fresh world; its emulator is ended by id afterwards."""
    root = tmp_path / "checkout"
    for part in ("environments", "terraform", "modules", "tooling"):
        shutil.copytree(
            ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__", ".terraform", "*.egg-info")
        )
    (root / "home").mkdir()
    (root / ".hawser").mkdir(mode=0o700)
    (root / ".hawser" / "venv").symlink_to(venvs)
    made = World(root)
    yield made
    made.run("emulator", "down")
