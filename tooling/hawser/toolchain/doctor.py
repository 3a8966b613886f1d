"""Looking at the machine: whether everything is there that hawser needs, and is what it should be.

Nothing is changed, fetched or built. Every check says what it found and, when it is wrong, how to mend it.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hawser.errors import HawserError
from hawser.toolchain.provider_mirror import PROVIDER, provider_source
from hawser.toolchain.python_env import is_current
from hawser.toolchain.terraform_binary import MINIMUM_TEXT, on_path, pinned_release, version_of

#: As in pyproject.toml (``requires-python``).
MINIMUM_PYTHON: Final = (3, 11)
#: Three packages install a module ``hcl2``: the toolkit uses that of python-hcl2, checkov that of bc-python-hcl2.
HCL2_PACKAGES: Final = ("python-hcl2", "bc-python-hcl2", "hcl2")
#: What the toolkit imports of its lock, by module name.
TOOLKIT_MODULES: Final = ("boto3", "click", "hcl2", "pydantic", "python_terraform", "rich", "yaml")
_REBUILD: Final = "Delete .venv; make builds it again."


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: ``found`` in a few words, ``detail`` what is wrong or worth knowing, ``fix`` what to do."""

    name: str
    ok: bool
    found: str
    detail: str = ""
    fix: str = ""


def examine(home: Path, locks: Path, stacks: Sequence[Path]) -> list[Check]:
    """All checks, in a fixed order.

    ``home`` is ``.hawser``, ``locks`` the folder of ``toolkit.txt``, ``checkov.txt`` and ``emulator.txt``, ``stacks``
    the Terraform roots.
    """
    return [
        python_version(),
        toolkit_imports(Path(sys.executable)),
        locked_versions("toolkit packages", _own_site(), locks / "toolkit.txt", _REBUILD),
        hcl2_owner("toolkit hcl2", _own_site(), "python-hcl2", _REBUILD),
        *environment(home, "checkov", locks, ("checkov",)),
        *environment(home, "emulator", locks, ("ministack", "moto")),
        terraform(home),
        provider(),
        *lock_files(stacks),
        program("git"),
        program("make"),
    ]


# -- Python ------------------------------------------------------------------------------------------------------------


def python_version() -> Check:
    """The interpreter that runs hawser."""
    wanted = ".".join(map(str, MINIMUM_PYTHON))
    ok = sys.version_info >= MINIMUM_PYTHON
    fix = "" if ok else f"Install Python >= {wanted} and delete .venv; make builds it again."
    return Check("python", ok, f"{platform.python_version()} at {sys.executable}", "", fix)


def toolkit_imports(python: Path, modules: Iterable[str] = TOOLKIT_MODULES) -> Check:
    """Whether ``python`` imports every module; each is tried, so that all that fail are named."""
    script = (
        "import importlib, sys\n"
        "for name in sys.argv[1:]:\n"
        "    try:\n"
        "        importlib.import_module(name)\n"
        "    except Exception as error:\n"
        "        print(name, type(error).__name__, error)\n"
    )
    names = list(modules)
    done = subprocess.run(
        [str(python), "-I", "-c", script, *names], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    broken = done.stdout.strip().splitlines() or ([done.stderr.strip()[-200:]] if done.returncode else [])
    if broken:
        return Check("toolkit imports", False, f"{len(broken)} of {len(names)} fail", "; ".join(broken), _REBUILD)
    return Check("toolkit imports", True, f"{len(names)} modules")


def _own_site() -> Path:
    return Path(sysconfig.get_paths()["purelib"])


def locked_versions(name: str, site: Path, lock: Path, rebuild: str, only: Sequence[str] = ()) -> Check:
    """Whether the packages of ``lock`` (or only some of them) are installed in ``site`` at exactly their version."""
    try:
        locked = read_lock(lock)
    except OSError as error:
        return Check(name, False, "no lock", f"{lock} cannot be read ({error.strerror})", "Restore it from git.")
    wanted = {package: locked[package] for package in only if package in locked} if only else locked
    if len(wanted) < len(only):
        return Check(
            name, False, "incomplete lock", f"{lock} does not pin all of {', '.join(only)}", "Restore it from git."
        )
    installed = {_normal(d.metadata["Name"]): d.version for d in importlib.metadata.distributions(path=[str(site)])}
    wrong = [
        f"{package} {installed.get(package, 'is missing')}, locked {pin.version}"
        for package, pin in wanted.items()
        if installed.get(package, pin.version if pin.conditional else None) != pin.version
    ]
    if wrong:
        more = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""
        return Check(name, False, f"{len(wrong)} of {len(wanted)} differ", "; ".join(wrong[:5]) + more, rebuild)
    found = ", ".join(f"{package} {pin.version}" for package, pin in wanted.items()) if only else f"{len(wanted)} agree"
    return Check(name, True, found)


@dataclass(frozen=True, slots=True)
class Pin:
    """A version in a lock; ``conditional`` when a marker lets it be absent on some platforms."""

    version: str
    conditional: bool


def read_lock(lock: Path) -> dict[str, Pin]:
    """The pins of a hash-locked requirements file by normalised package name."""
    found = {}
    for line in lock.read_text(encoding="utf-8").splitlines():
        match = re.match(r"([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]*\])?==([^\s;\\]+)\s*(;)?", line)
        if match:
            found[_normal(match[1])] = Pin(match[2], conditional=match[3] is not None)
    return found


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def hcl2_owner(name: str, site: Path, wanted: str, rebuild: str) -> Check:
    """Whether the module ``hcl2`` in ``site`` belongs to ``wanted`` alone, and its files are those of that package.

    The packages overwrite each other's files without a word, and pip does not notice; so each file is compared with the
    hash that its package gave at installation.
    """
    packages = {
        _normal(found.metadata["Name"]): found
        for found in importlib.metadata.distributions(path=[str(site)])
        if _normal(found.metadata["Name"]) in HCL2_PACKAGES
    }
    if set(packages) != {wanted}:
        found = " and ".join(sorted(packages)) or "none"
        return Check(name, False, found, f"the module hcl2 must come from {wanted} alone", rebuild)
    changed = [
        str(file)
        for file in packages[wanted].files or ()
        if file.parts[0] == "hcl2" and file.hash is not None and not _has_hash(Path(str(file.locate())), file.hash)
    ]
    if changed:
        return Check(name, False, wanted, f"{changed[0]} is missing or not the file of {wanted}", rebuild)
    return Check(name, True, f"{wanted} {packages[wanted].version}")


def _has_hash(path: Path, expected: importlib.metadata.FileHash) -> bool:
    try:
        digest = hashlib.new(expected.mode, path.read_bytes()).digest()
    except (OSError, ValueError):
        return False
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == expected.value


# -- environments of their own -----------------------------------------------------------------------------------------


def environment(home: Path, name: str, locks: Path, packages: Sequence[str]) -> list[Check]:
    """The environment ``home/venv/<name>``: finished from the present lock, with these packages at their version."""
    folder = home / "venv" / name
    rebuild = f"Delete {folder}; the next command that needs it builds it again."
    lock = locks / f"{name}.txt"
    if not folder.is_dir():
        return [Check(name, True, "not built yet", "the first command that needs it builds it")]
    sites = sorted(folder.glob("lib/python3*/site-packages"))
    if not sites or not (folder / "bin" / "python").exists():
        return [Check(name, False, "unfinished or broken", f"{folder} has no working Python", rebuild)]
    checks = [locked_versions(name, sites[-1], lock, rebuild, packages)]
    if checks[0].ok and not is_current(folder, hashlib.sha256(lock.read_bytes()).hexdigest()):
        checks = [Check(name, True, checks[0].found, "built from another lock, so the next use builds it anew")]
    if name == "checkov":
        checks.append(hcl2_owner("checkov hcl2", sites[-1], "bc-python-hcl2", rebuild))
    return checks


# -- Terraform ---------------------------------------------------------------------------------------------------------


def terraform(home: Path) -> Check:
    """The terraform that would be used."""
    found, note = on_path(home)
    if found:
        return Check("terraform", True, f"{found.version} at {found.path}")
    release = pinned_release()
    fetched = home / "bin" / "terraform"
    if version_of(fetched, home) == release.version:
        return Check("terraform", True, f"{release.version} at {fetched}", note)
    return Check(
        "terraform",
        False,
        "none",
        f"{note}; {release.version} would be fetched from {release.url} when it is needed",
        f"Install terraform >= {MINIMUM_TEXT}, or let the next plan fetch it.",
    )


def provider() -> Check:
    """Where terraform gets the AWS provider from; the registry is not asked."""
    try:
        source = provider_source()
    except HawserError as error:
        return Check("provider", False, "mirror", error.message, error.fix)
    if source.config:
        return Check("provider", True, f"as {source.config} says", source.why)
    return Check("provider", True, f"mirror {source.mirror}" if source.mirror else "registry.terraform.io", source.why)


def lock_files(stacks: Sequence[Path]) -> list[Check]:
    """Whether each stack has its provider lock, with the AWS provider in it."""
    checks = []
    for stack in stacks:
        file = stack / ".terraform.lock.hcl"
        name = f"provider lock of {stack.name}"
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            checks.append(Check(name, False, "none", f"{file} cannot be read", "Restore it from git."))
            continue
        block = re.search(rf'provider "{re.escape(PROVIDER)}" \{{\s*version\s*=\s*"([^"]+)"', text)
        if block:
            checks.append(Check(name, True, f"hashicorp/aws {block[1]}"))
        else:
            checks.append(Check(name, False, "without hashicorp/aws", str(file), "Restore it from git."))
    return checks


# -- programs ----------------------------------------------------------------------------------------------------------

_VERSION_ARGUMENTS: Final = {
    "git": ["--version"],
    "make": ["--version"],
}


def program(name: str) -> Check:
    """A program on PATH."""
    path = shutil.which(name)
    if path is None:
        return Check(name, False, "not on PATH", "", f"Install {name}.")
    try:
        done = subprocess.run(
            [path, *_VERSION_ARGUMENTS[name]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=30,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check(name, False, path, f"it does not start ({error})", f"Install {name} anew.")
    words = (done.stdout.strip() or done.stderr.strip()).splitlines()
    return Check(name, True, words[0] if words else path)
