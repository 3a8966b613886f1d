"""Python environments of their own, built from hash-locked requirements.

checkov and the emulator cannot live in the toolkit's environment: checkov pins another boto3 and installs another
package under the name ``hcl2``; ministack pins botocore exactly.
"""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

from hawser.errors import HawserError
from hawser.toolchain.home import locked, private_folder

#: Beside pyvenv.cfg, written last: the SHA-256 of the lock file the environment was built from.
STAMP = "lock.sha256"


def ensure_venv(home: Path, name: str, lock_file: Path) -> Path:
    """The python of ``home/venv/<name>``, with exactly the packages of ``lock_file``.

    Built when it is missing, was left unfinished, or came from another lock; two processes never build at once.
    Raises ``HawserError`` with pip's last line when the build fails.
    """
    try:
        wanted = hashlib.sha256(lock_file.read_bytes()).hexdigest()
    except OSError as error:
        raise HawserError(f"{lock_file}: cannot be read ({error.strerror})", fix="Restore it from git.") from None
    folder = home / "venv" / name
    python = folder / "bin" / "python"
    if is_current(folder, wanted):
        return python
    private_folder(home)
    (home / "venv").mkdir(exist_ok=True)
    with locked(home / "venv" / f".{name}.lock"):
        if not is_current(folder, wanted):
            _build(folder, lock_file)
            (folder / STAMP).write_text(f"{wanted}\n", encoding="ascii")
    return python


def is_current(folder: Path, lock_sha256: str) -> bool:
    """Whether the environment in ``folder`` was finished from the lock of this SHA-256 and still has its python."""
    try:
        stamp = (folder / STAMP).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return False
    return stamp == lock_sha256 and (folder / "bin" / "python").exists()


def _build(folder: Path, lock_file: Path) -> None:
    (folder / STAMP).unlink(missing_ok=True)
    if folder.exists():
        shutil.rmtree(folder)
    if importlib.util.find_spec("pip"):  # ours serves the new environment too, and seconds are saved
        _run([sys.executable, "-I", "-m", "venv", "--without-pip", str(folder)], folder, lock_file)
        pip = [sys.executable, "-I", "-m", "pip", "--python", str(folder)]
    else:
        _run([sys.executable, "-I", "-m", "venv", str(folder)], folder, lock_file)
        pip = [str(folder / "bin" / "python"), "-I", "-m", "pip"]
    options = ["-qq", "--no-input", "--disable-pip-version-check", "--require-hashes"]
    _run([*pip, "install", *options, "-r", str(lock_file)], folder, lock_file)


def _run(command: list[str], folder: Path, lock_file: Path) -> None:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode == 0:
        return
    if "ensurepip" in done.stdout + done.stderr:
        raise HawserError(
            f"cannot build {folder}: this Python has no ensurepip",
            fix="Install the venv package of your system's Python (Debian, Ubuntu: `apt install python3-venv`).",
        )
    raise HawserError(
        f"cannot build {folder} from {lock_file}: {_last_words(done.stdout, done.stderr)}",
        fix="Check that pip can reach its package index (PIP_INDEX_URL, proxy), then run the same command again.",
    )


def _last_words(stdout: str, stderr: str) -> str:
    """The last error line of pip, else its last line."""
    lines = [line.strip() for line in (stdout + "\n" + stderr).splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    return (errors or lines or ["it ended without a word"])[-1].removeprefix("ERROR:").strip()
