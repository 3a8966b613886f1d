"""Generated files on disk: compare them, or write them atomically. The one place of this package that touches files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hawser.files import write_atomically


def stale_files(folder: Path, files: Mapping[str, bytes], pattern: str) -> tuple[str, ...]:
    """What differs from ``files`` in ``folder``, one text per file, sorted.

    A file of ``folder`` that matches ``pattern`` and is not in ``files`` does not belong there.
    """
    stale = []
    for name, content in files.items():
        path = folder / name
        if not path.is_file():
            stale.append(f"{name}: missing")
        elif path.read_bytes() != content:
            stale.append(f"{name}: differs")
    stale += [f"{path.name}: does not belong here" for path in _foreign(folder, files, pattern)]
    return tuple(sorted(stale))


def write_files(folder: Path, files: Mapping[str, bytes], pattern: str) -> tuple[str, ...]:
    """Bring ``folder`` to ``files`` and say what was done. A file that is right already is left alone.

    Each file appears whole or not at all; files that match ``pattern`` and do not belong are removed last.
    """
    done = []
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in sorted(files.items()):
        path = folder / name
        if path.is_file() and path.read_bytes() == content:
            continue
        write_atomically(path, content)
        done.append(f"wrote {path.name}")
    for path in _foreign(folder, files, pattern):
        path.unlink()
        done.append(f"removed {path.name}")
    return tuple(done)


def _foreign(folder: Path, files: Mapping[str, bytes], pattern: str) -> list[Path]:
    return sorted(path for path in folder.glob(pattern) if path.name not in files and not path.is_dir())
