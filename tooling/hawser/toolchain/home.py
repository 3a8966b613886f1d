"""The checkout's own folder ``.hawser``: private, and shared by processes that run at once."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path


def private_folder(path: Path) -> Path:
    """Make ``path`` with mode 0700, and what is missing above it; a folder that exists stays as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)
    return path


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file ``path`` alone; a second process waits until the first is done or dead."""
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
