"""Looking at the machine: folders that hold what a real site-packages holds, and the machine itself."""

from __future__ import annotations

import base64
import hashlib
import sys
from pathlib import Path

import pytest

from hawser.toolchain import doctor
from hawser.toolchain.doctor import (
    Check,
    environment,
    examine,
    hcl2_owner,
    lock_files,
    locked_versions,
    program,
    read_lock,
    terraform,
    toolkit_imports,
)
from hawser.toolchain.python_env import STAMP

ROOT = Path(__file__).parents[2]
LOCKS = ROOT / "tooling" / "locks"


def _install(site: Path, name: str, version: str = "1.0", files: dict[str, str] | None = None) -> None:
    """What pip leaves of a package: its files, METADATA and RECORD."""
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    record = ""
    for path, text in (files or {}).items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text)
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(text)}\n"
    (info / "RECORD").write_text(f"{record}{info.name}/RECORD,,\n")


def _hcl2(site: Path, name: str) -> None:
    _install(site, name, files={"hcl2/__init__.py": f"# {name}\n", "hcl2/parser.py": f"# parser of {name}\n"})


def test_hcl2_of_the_right_package(tmp_path: Path) -> None:
    _hcl2(tmp_path, "python-hcl2")
    assert hcl2_owner("hcl2", tmp_path, "python-hcl2", "again") == Check("hcl2", True, "python-hcl2 1.0")


@pytest.mark.parametrize(
    ("installed", "found"),
    [
        ([], "none"),
        (["bc-python-hcl2"], "bc-python-hcl2"),
        (["hcl2"], "hcl2"),
        (["bc-python-hcl2", "python-hcl2"], "bc-python-hcl2 and python-hcl2"),
        (["python-hcl2", "bc_python_hcl2"], "bc-python-hcl2 and python-hcl2"),
        (["python-hcl2", "hcl2"], "hcl2 and python-hcl2"),
    ],
)
def test_hcl2_of_another_package(tmp_path: Path, installed: list[str], found: str) -> None:
    for name in installed:
        _hcl2(tmp_path, name)
    check = hcl2_owner("hcl2", tmp_path, "python-hcl2", "again")
    assert (check.ok, check.found, check.fix) == (False, found, "again")
    assert "python-hcl2 alone" in check.detail


@pytest.mark.parametrize("harm", ["overwritten", "removed"])
def test_hcl2_whose_files_another_package_took(tmp_path: Path, harm: str) -> None:
    """What is left when the other package was installed over it, or taken away again."""
    _hcl2(tmp_path, "bc-python-hcl2")
    file = tmp_path / "hcl2" / "parser.py"
    if harm == "removed":
        file.unlink()
    else:
        file.write_text("# parser of python-hcl2\n")
    check = hcl2_owner("hcl2", tmp_path, "bc-python-hcl2", "again")
    assert not check.ok
    assert check.detail == "hcl2/parser.py is missing or not the file of bc-python-hcl2"


def _lock(path: Path) -> Path:
    path.write_text(
        "# a comment\n"
        "one==1.0 \\\n    --hash=sha256:00\n    # via two\n"
        "Two_Words[extra]==2.0 \\\n    --hash=sha256:00\n"
        "elsewhere==3.0 ; sys_platform == 'win32' \\\n    --hash=sha256:00\n"
    )
    return path


def test_versions_are_those_of_the_lock(tmp_path: Path) -> None:
    lock = _lock(tmp_path / "lock.txt")
    assert {name: (pin.version, pin.conditional) for name, pin in read_lock(lock).items()} == {
        "one": ("1.0", False),
        "two-words": ("2.0", False),
        "elsewhere": ("3.0", True),
    }
    site = tmp_path / "site"
    _install(site, "one")
    check = locked_versions("packages", site, lock, "again")
    assert (check.ok, check.detail, check.fix) == (False, "two-words is missing, locked 2.0", "again")
    _install(site, "two.words", "2.0")
    assert locked_versions("packages", site, lock, "again") == Check("packages", True, "3 agree")
    _install(site, "elsewhere", "2.9")
    assert "elsewhere 2.9, locked 3.0" in locked_versions("packages", site, lock, "again").detail
    assert locked_versions("packages", site, lock, "again", ("one",)) == Check("packages", True, "one 1.0")


def test_a_lock_that_is_not_there_or_not_whole(tmp_path: Path) -> None:
    assert not locked_versions("packages", tmp_path, tmp_path / "none.txt", "again").ok
    check = locked_versions("packages", tmp_path, _lock(tmp_path / "lock.txt"), "again", ("one", "missing"))
    assert (check.ok, check.found) == (False, "incomplete lock")


def _environment(tmp_path: Path, name: str) -> tuple[Path, Path]:
    """``home/venv/<name>`` with a python but nothing installed; its site-packages."""
    folder = tmp_path / "venv" / name
    site = folder / "lib" / "python3.11" / "site-packages"
    site.mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(sys.executable)
    return folder, site


def test_an_environment_that_is_not_built_is_only_a_note(tmp_path: Path) -> None:
    checks = environment(tmp_path, "checkov", LOCKS, ("checkov",))
    assert [(check.ok, check.found) for check in checks] == [(True, "not built yet")]


def test_the_environment_of_checkov(tmp_path: Path) -> None:
    folder, site = _environment(tmp_path, "checkov")
    locks = tmp_path / "locks"
    locks.mkdir()
    lock = locks / "checkov.txt"
    lock.write_text("checkov==3.3.30 \\\n    --hash=sha256:00\n")

    assert not environment(tmp_path, "checkov", locks, ("checkov",))[0].ok
    _install(site, "checkov", "3.3.29")
    check = environment(tmp_path, "checkov", locks, ("checkov",))[0]
    assert (check.ok, check.detail) == (False, "checkov 3.3.29, locked 3.3.30")
    assert str(folder) in check.fix

    (site / "checkov-3.3.29.dist-info" / "METADATA").write_text("Name: checkov\nVersion: 3.3.30\n")
    _hcl2(site, "bc-python-hcl2")
    checks = environment(tmp_path, "checkov", locks, ("checkov",))
    assert [check.ok for check in checks] == [True, True]
    assert "another lock" in checks[0].detail
    (folder / STAMP).write_text(hashlib.sha256(lock.read_bytes()).hexdigest())
    assert environment(tmp_path, "checkov", locks, ("checkov",))[0] == Check("checkov", True, "checkov 3.3.30")

    _hcl2(site, "python-hcl2")
    assert [check.ok for check in environment(tmp_path, "checkov", locks, ("checkov",))] == [True, False]
    (folder / "bin" / "python").unlink()
    assert [check.found for check in environment(tmp_path, "checkov", locks, ("checkov",))] == ["unfinished or broken"]


def test_modules_that_do_not_import_are_named() -> None:
    check = toolkit_imports(Path(sys.executable), ["json", "hawser_no_such_module", "hawser_nor_this"])
    assert (check.ok, check.found) == (False, "2 of 3 fail")
    assert "hawser_no_such_module ModuleNotFoundError" in check.detail
    assert "hawser_nor_this" in check.detail


def test_terraform_is_looked_for_but_not_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    home = tmp_path / ".hawser"
    check = terraform(home)
    assert not check.ok
    assert "there is no terraform on PATH" in check.detail
    assert not home.exists()
    version = doctor.pinned_release().version
    (home / "bin").mkdir(parents=True)
    fetched = home / "bin" / "terraform"
    fetched.write_text(f'#!/bin/sh\necho \'{{"terraform_version": "{version}"}}\'\n')
    fetched.chmod(0o755)
    assert terraform(home).found == f"{version} at {fetched}"


def test_a_program_that_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program("git") == Check("git", False, "not on PATH", "", "Install git.")
    (tmp_path / "make").write_text("not a program")
    (tmp_path / "make").chmod(0o755)
    assert not program("make").ok
    (tmp_path / "make").write_text("#!/bin/sh\necho GNU Make 4.4\necho more\n")
    assert program("make") == Check("make", True, "GNU Make 4.4")


def test_provider_locks(tmp_path: Path) -> None:
    for name, text in {
        "good": 'provider "registry.terraform.io/hashicorp/aws" {\n  version     = "5.100.0"\n}\n',
        "other": 'provider "registry.terraform.io/hashicorp/google" {\n  version = "1.0.0"\n}\n',
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / ".terraform.lock.hcl").write_text(text)
    checks = lock_files([tmp_path / "good", tmp_path / "other", tmp_path / "none"])
    assert [check.ok for check in checks] == [True, False, False]
    assert checks[0].found == "hashicorp/aws 5.100.0"
    assert all(check.fix for check in checks[1:])


@pytest.mark.usefixtures("venvs")
def test_this_machine() -> None:
    """The environment that runs the tests is the toolkit's: nothing of it may be wrong."""
    checks = {
        check.name: check
        for check in examine(ROOT / ".hawser", LOCKS, [ROOT / "terraform" / "eks", ROOT / "terraform" / "platform"])
    }
    for name in ("python", "toolkit imports", "toolkit packages", "toolkit hcl2", "git", "checkov", "emulator"):
        assert checks[name].ok, checks[name]
    assert checks["provider lock of eks"].found == checks["provider lock of platform"].found
    assert list(checks)[-2:] == ["git", "make"]
    assert all(check.fix for check in checks.values() if not check.ok)
