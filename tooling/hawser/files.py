"""Writing files: whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def write_atomically(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Write ``content`` to ``path`` so that a reader, or a crash, sees the old file or the new one, never a part.

    Missing parent folders are made. Raises ``OSError`` when the place cannot be written; nothing is left behind then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(part).chmod(mode)
        Path(part).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(part).unlink()
        raise
