"""Building environments: real ones, from a lock with one tiny wheel."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from hawser.errors import HawserError
from hawser.toolchain import python_env
from hawser.toolchain.python_env import STAMP, ensure_venv


def _wheel(folder: Path, version: str = "1.0") -> Path:
    """A wheel of the package ``hawser-probe`` whose module tells its version."""
    info = f"hawser_probe-{version}.dist-info"
    files = {
        "hawser_probe.py": f"version = {version!r}\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: hawser-probe\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(text)}\n"
    path = folder / f"hawser_probe-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for name, text in {**files, f"{info}/RECORD": f"{record}{info}/RECORD,,\n"}.items():
            wheel.writestr(name, text)
    return path


def _lock(folder: Path, version: str = "1.0", sha256: str = "") -> Path:
    wheel = _wheel(folder, version)
    digest = sha256 or hashlib.sha256(wheel.read_bytes()).hexdigest()
    lock = folder / "probe.txt"
    lock.write_text(f"--no-index\n--find-links {folder}\nhawser-probe=={version} --hash=sha256:{digest}\n")
    return lock


@pytest.fixture
def no_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(*_: object) -> None:
        raise AssertionError("it was built again")

    monkeypatch.setattr(python_env, "_build", build)


def test_life_of_an_environment(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    home = tmp_path / ".hawser"
    folder = home / "venv" / "probe"
    lock = _lock(tmp_path, sha256="0" * 64)
    with pytest.raises(HawserError) as caught:
        ensure_venv(home, "probe", lock)
    assert f"cannot build {folder} from {lock}: " in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.fix
    assert folder.is_dir()
    assert not (folder / STAMP).exists()
    assert home.stat().st_mode & 0o777 == 0o700

    # The next call mends it, and two at once build it once: each tells which one it got.
    (folder / "left over").touch()
    lock = _lock(tmp_path)
    script = (
        "import sys; from pathlib import Path; from hawser.toolchain.python_env import ensure_venv\n"
        "python = ensure_venv(Path(sys.argv[1]), 'probe', Path(sys.argv[2]))\n"
        "made = (python.parent.parent / 'pyvenv.cfg').stat()\n"
        "print(made.st_ino, made.st_mtime_ns)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", script, str(home), str(lock)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(2)]
    answers = {one.communicate()[0] for one in both}
    assert [one.returncode for one in both] == [0, 0]
    assert len(answers) == 1
    probe = [str(folder / "bin" / "python"), "-c", "import hawser_probe; print(hawser_probe.version)"]
    assert subprocess.run(probe, capture_output=True, text=True, check=True).stdout == "1.0\n"
    assert not (folder / "left over").exists()
    assert (folder / STAMP).read_text().strip() == hashlib.sha256(lock.read_bytes()).hexdigest()

    # From now on it is only looked at, until the lock changes.
    request.getfixturevalue("no_builds")
    assert ensure_venv(home, "probe", lock) == folder / "bin" / "python"
    lock = _lock(tmp_path, "2.0")
    with pytest.raises(AssertionError, match="built again"):
        ensure_venv(home, "probe", lock)


@pytest.mark.parametrize("stamp", [None, b"", b"0" * 64, b"\xff"])
def test_an_unfinished_one_is_built_again(tmp_path: Path, no_builds: None, stamp: bytes | None) -> None:
    folder = tmp_path / "venv" / "probe"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").touch()
    if stamp is not None:
        (folder / STAMP).write_bytes(stamp)
    with pytest.raises(AssertionError, match="built again"):
        ensure_venv(tmp_path, "probe", _lock(tmp_path))


def test_one_whose_python_is_gone_is_built_again(tmp_path: Path, no_builds: None) -> None:
    lock = _lock(tmp_path)
    folder = tmp_path / "venv" / "probe"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to("/nonexistent/python3")
    (folder / STAMP).write_text(hashlib.sha256(lock.read_bytes()).hexdigest())
    with pytest.raises(AssertionError, match="built again"):
        ensure_venv(tmp_path, "probe", lock)


def test_no_lock_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(HawserError, match=r"none\.txt: cannot be read"):
        ensure_venv(tmp_path, "probe", tmp_path / "none.txt")
