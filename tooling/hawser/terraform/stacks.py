"""The root stacks on disk: what they declare, what they consume, and the digests that bind a plan to their sources."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from hawser.errors import HawserError
from hawser.files import write_atomically

#: Once per account and region, shared by their environments; never part of a run over an environment.
BOOTSTRAP: Final = "bootstrap"
PLATFORM: Final = "platform"
#: Every stack that can stand behind platform.
TARGETS: Final = ("eks", "hyperpod")
#: Every stack that an environment can have, in the order of the hand-over.
STACKS: Final = (PLATFORM, *TARGETS)
#: Every stack that can be named.
NAMED: Final = (BOOTSTRAP, *STACKS)

#: Whatever lies in a stack or module can be read by it, so all of it counts, but for these and tests. Terraform itself
#: leaves ``errored.tfstate`` there when a backend fails.
_NOT_SOURCES: Final = ("README.md", ".terraform.lock.hcl", "errored.tfstate")

_OVERRIDE: Final = "backend_override.tf"

_MODULE: Final = re.compile(r'^\s*source\s*=\s*"(\.{1,2}/[^"]+)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Declared:
    """The variables of a stack: those that must be given, those with a default, and those that come from upstream.

    ``upstream_optional`` are those of ``upstream`` that have a default.
    """

    required: tuple[str, ...]
    optional: tuple[str, ...]
    upstream: tuple[str, ...]
    upstream_optional: tuple[str, ...]

    @property
    def names(self) -> frozenset[str]:
        """Every declared variable."""
        return frozenset(self.required + self.optional + self.upstream)


@dataclass(frozen=True, slots=True)
class Stack:
    """A Terraform root under ``terraform/``."""

    name: str
    folder: Path

    @property
    def lock_file(self) -> Path:
        """The provider lock file."""
        return self.folder / ".terraform.lock.hcl"


def stack(root: Path, name: str) -> Stack:
    """The stack called ``name`` in the checkout at ``root``.

    Raises ``HawserError`` when its folder is not there, or holds variables that terraform would load by itself.
    """
    folder = root / "terraform" / name
    if not (folder / "versions.tf").is_file():
        raise HawserError(
            f"there is no stack {name!r}: terraform/{name}/versions.tf is missing", fix="Restore the folder."
        )
    for auto in sorted((*folder.glob("*.auto.tfvars*"), *folder.glob("terraform.tfvars*"))):
        raise HawserError(
            f"terraform/{name}/{auto.name} would change every plan unseen",
            fix="Remove it: the contract is the only input.",
        )
    return Stack(name, folder)


def declared(of: Stack, cache: Path) -> Declared:
    """The variables that a stack declares, read from ``variables.tf`` and ``upstream.tf`` with python-hcl2.

    Its grammar takes seconds to build, so the answer is kept in the file ``cache`` under the digest of the two files.
    Raises ``HawserError`` for HCL that cannot be read.
    """
    files = [f for f in (of.folder / "variables.tf", of.folder / "upstream.tf") if f.is_file()]
    digest = _digest((f.name, f.read_bytes()) for f in files)
    known = _read_cache(cache)
    if digest in known and set(known[digest]) == {one.name for one in fields(Declared)}:
        return Declared(**{key: tuple(names) for key, names in known[digest].items()})
    found = _parse(files)
    known[digest] = asdict(found)
    write_atomically(cache, (json.dumps(known, indent=1, sort_keys=True) + "\n").encode())
    return found


def _parse(files: Iterable[Path]) -> Declared:
    import hcl2

    required: list[str] = []
    optional: list[str] = []
    upstream: list[str] = []
    upstream_optional: list[str] = []
    for file in files:
        try:
            document: Mapping[str, Any] = hcl2.loads(file.read_text(encoding="utf-8"))
        except Exception as error:
            raise HawserError(
                f"{file.parent.name}/{file.name} cannot be read as HCL ({type(error).__name__})",
                fix="Run `terraform validate` there.",
            ) from None
        for block in document.get("variable", []):
            for quoted, body in block.items():
                name = quoted.strip('"')
                if file.name == "upstream.tf":
                    upstream.append(name)
                    if "default" in body:
                        upstream_optional.append(name)
                else:
                    (optional if "default" in body else required).append(name)
    return Declared(*(tuple(sorted(names)) for names in (required, optional, upstream, upstream_optional)))


def undeclared_and_missing(tfvars: bytes, of: Declared) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names in ``tfvars`` that the stack does not declare, and required ones that are not given."""
    given = {name for name in json.loads(tfvars) if name != "//"}
    return tuple(sorted(given - of.names)), tuple(sorted(set(of.required) - given))


def sources_digest(of: Stack) -> str:
    """SHA-256 (hex) over the stack's sources and those of every local module it reaches, by relative name."""
    root = of.folder.resolve().parent.parent
    return _digest(
        (os.path.relpath(file, root), file.read_bytes()) for folder in folders_of(of) for file in _source_files(folder)
    )


def with_local_state(of: Stack, copy: Path) -> Stack:
    """The same stack in the folder ``copy`` (its own), with the local backend in place of the one that it declares.

    A backend's type is a constant in Terraform; only an override file in a copy can change it. The copy has the same
    relative layout, modules included, and is made anew each time; only a state that an apply could not save stays.
    """
    root = of.folder.resolve().parent.parent
    copied = Stack(of.name, copy / of.folder.resolve().relative_to(root))
    errored = copied.folder / "errored.tfstate"
    unsaved = errored.read_bytes() if errored.is_file() else None
    shutil.rmtree(copy, ignore_errors=True)
    for folder in folders_of(of):
        for file in (*_source_files(folder), folder / of.lock_file.name):
            if file.is_file():
                write_atomically(copy / file.relative_to(root), file.read_bytes(), 0o600)
    if unsaved is not None:
        write_atomically(errored, unsaved, 0o600)
    write_atomically(copied.folder / _OVERRIDE, b'terraform {\n  backend "local" {}\n}\n', 0o600)
    return copied


def folders_of(of: Stack) -> tuple[Path, ...]:
    """The stack's folder and those of every local module that it reaches, sorted."""
    folders: dict[Path, None] = {}
    waiting = [of.folder.resolve()]
    while waiting:
        folder = waiting.pop()
        if folder in folders:
            continue
        folders[folder] = None
        for file in sorted(folder.glob("*.tf")):
            waiting.extend((folder / source).resolve() for source in _MODULE.findall(file.read_text(encoding="utf-8")))
    return tuple(sorted(folders))


def _source_files(folder: Path) -> list[Path]:
    found = []
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f not in (".terraform", "tests"))
        found += [Path(parent, f) for f in files if f not in _NOT_SOURCES]
    return sorted(found)


def _digest(parts: Iterable[tuple[str, bytes]]) -> str:
    whole = hashlib.sha256()
    for name, content in sorted(parts):
        whole.update(f"{name}\0{hashlib.sha256(content).hexdigest()}\n".encode())
    return whole.hexdigest()


def _read_cache(cache: Path) -> dict[str, dict[str, list[str]]]:
    try:
        known = json.loads(cache.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
