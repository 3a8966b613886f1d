"""What git knows of a pull request: the merge base, and its files in a folder beside the checkout.

The files are written through an index of their own: neither the working tree nor the checkout's index is touched.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hawser.errors import HawserError, UsageError


@dataclass(frozen=True, slots=True)
class BaseTree:
    """The checkout as it was at ``commit`` (hex), in the folder ``root``; ``head`` is the commit of now."""

    commit: str
    head: str
    root: Path


@contextlib.contextmanager
def base_tree(root: Path, ref: str) -> Iterator[BaseTree]:
    """The checkout at ``root`` as it was where HEAD left ``ref``; the folder is gone afterwards.

    Raises ``UsageError`` when ``root`` is no git checkout, or ``ref`` is not there or shares no commit with HEAD.
    """
    inside = _git(root, "rev-parse", "--show-prefix", "--is-shallow-repository")
    if inside is None:
        raise UsageError(f"{root} is not in a git checkout", fix="Run hawser pr in a clone of the repository.")
    prefix, shallow = inside.splitlines()
    head, base = _commit(root, "HEAD"), _commit(root, ref)
    if head is None:
        raise UsageError("this checkout has no commit yet", fix="Commit what the pull request changes.")
    if base is None:
        raise UsageError(f"git knows no commit {ref!r}", fix="Fetch it (`git fetch origin`), or name another: --base.")
    common = _git(root, "merge-base", base, head)
    if common is None:
        why = " in this shallow clone" if shallow == "true" else ""
        raise UsageError(
            f"HEAD and {ref!r} have no commit in common{why}",
            fix="Fetch the history: `git fetch --unshallow`, or fetch-depth: 0 of actions/checkout."
            if why
            else "Name the branch that the pull request goes to: --base.",
        )
    with tempfile.TemporaryDirectory(prefix="hawser-base-") as folder:
        files, index = Path(folder, "files"), {"GIT_INDEX_FILE": str(Path(folder, "index"))}
        files.mkdir()
        top = _git(root, "rev-parse", "--show-toplevel")
        made = (
            top is not None
            and _git(Path(top), "read-tree", common, more=index) is not None
            and _git(Path(top), "checkout-index", "--all", f"--prefix={files}/", more=index) is not None
        )
        if not made:
            raise HawserError(
                f"git cannot write the files of commit {common[:12]}", fix="Run `git fsck`, and look for a full disk."
            )
        yield BaseTree(common, head, files / prefix)


def _commit(root: Path, ref: str) -> str | None:
    return _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")


def _git(root: Path, *arguments: str, more: Mapping[str, str] | None = None) -> str | None:
    """What git answers, without the line's end; ``None`` when it refuses. Raises ``HawserError`` without git."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        answer = subprocess.run(
            ["git", *arguments], cwd=root, env=environment | dict(more or {}), capture_output=True, check=False
        )
    except FileNotFoundError:
        raise HawserError("git is not there", fix="Install git.") from None
    return os.fsdecode(answer.stdout).removesuffix("\n") if answer.returncode == 0 else None
