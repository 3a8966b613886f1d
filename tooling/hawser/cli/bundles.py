"""Bundles on disk: the unit that is reviewed, approved and applied.

``.hawser/<env>/<stack>/<digest>/`` (0700, files 0600) holds the saved plan, its JSON, findings, reports and the
record. A bundle appears whole or not at all. ``newest`` names the newest real one; ``speculative/`` holds the newest
plan that can only be read. ``approvals.json`` and ``used.json`` are written later, beside the record, and so is
``stored``, when the bundle lies in the state bucket too.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hawser.decision.approvals import Approval, read_approval
from hawser.decision.record import Record, read_record
from hawser.errors import NoApprovalError, UsageError
from hawser.files import write_atomically

PLAN: Final = "plan.tfplan"
PLAN_JSON: Final = "plan.json"
TFVARS: Final = "tfvars.json"
UPSTREAM: Final = "upstream.tfvars.json"
RECORD: Final = "record.json"
#: What is made of a judged plan for people and machines to read, redacted.
REPORTS: Final = ("findings.json", "report.html", "report.json", "report.md", "report.txt")
FINDINGS: Final = "findings.json"
#: The changes as the fingerprint counts them; values are keyed hashes.
CHANGES: Final = "changes.json"
_APPROVALS: Final = "approvals.json"
_STORED: Final = "stored"
_USED: Final = "used.json"
_NEWEST: Final = "newest"
_SPECULATIVE: Final = "speculative"


@dataclass(frozen=True, slots=True)
class Bundle:
    """A real bundle."""

    folder: Path
    record: Record

    @property
    def digest(self) -> str:
        """Its name."""
        return self.record.digest

    def read(self, name: str) -> bytes:
        """One of its files. Raises ``NoApprovalError`` when it is gone."""
        try:
            return (self.folder / name).read_bytes()
        except OSError:
            raise NoApprovalError(f"bundle {self.digest[:12]} has no readable {name}", fix="Plan again.") from None

    def approvals(self) -> tuple[Approval, ...]:
        """Approvals given so far. Those that cannot be read, or are filed under another bundle, are left out."""
        given = _read_json(self.folder / _APPROVALS)
        entries = given.get("approvals") if given.get("bundle") == self.digest else None
        found = []
        for entry in entries if isinstance(entries, list) else ():
            with contextlib.suppress(ValueError):
                found.append(read_approval(entry))
        return tuple(found)

    def add_approval(self, approval: Approval) -> None:
        """Keep an approval; an unsigned one takes the place of an earlier one by the same name."""
        kept = [a for a in self.approvals() if a != approval and (approval.signed or a.by != approval.by)]
        entries = [a.to_json() for a in (*kept, approval)]
        self._write(_APPROVALS, {"bundle": self.digest, "approvals": entries})

    @property
    def stored(self) -> bool:
        """Whether it also lies in the state bucket, so that approvals of it go there too."""
        return (self.folder / _STORED).is_file()

    def mark_stored(self) -> None:
        """It lies in the state bucket from now on."""
        write_atomically(self.folder / _STORED, b"", 0o600)

    def used(self) -> Mapping[str, Any]:
        """When and how it was applied; empty when it was not. A mark that cannot be read is still a mark."""
        if not os.path.lexists(self.folder / _USED):
            return {}
        return {"at": "an unknown time", "result": "its mark cannot be read", **_read_json(self.folder / _USED)}

    def start_use(self, at: str) -> None:
        """It is applied from now on, once: of two runs at the same time only one comes past here.

        Raises ``NoApprovalError`` when it was used before.
        """
        try:
            descriptor = os.open(self.folder / _USED, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise NoApprovalError(f"bundle {self.digest[:12]} was already applied", fix="Plan again.") from None
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump({"at": at, "result": "started"}, file)

    def end_use(self, at: str, result: str) -> None:
        """How the apply ended: applied, failed, interrupted."""
        self._write(_USED, {"at": at, "result": result})

    def _write(self, name: str, document: Mapping[str, Any]) -> None:
        write_atomically(self.folder / name, (json.dumps(document, indent=2, sort_keys=True) + "\n").encode(), 0o600)


def store(stack_folder: Path, record: Record, files: Mapping[str, bytes], plan: Path) -> Bundle:
    """Keep a real bundle; it becomes the newest. ``plan`` (the saved plan) is moved in."""
    folder = stack_folder / record.digest
    part = _part(stack_folder, {**files, RECORD: record.to_json()})
    plan.chmod(0o600)
    plan.replace(part / PLAN)
    if folder.exists():
        shutil.rmtree(folder)
    part.replace(folder)
    bundle = Bundle(folder, record)
    make_newest(bundle)
    return bundle


def make_newest(bundle: Bundle) -> None:
    """From now on ``bundle`` is the newest of its stack."""
    stack_folder = bundle.folder.parent
    write_atomically(stack_folder / _NEWEST, f"{bundle.digest}\n".encode(), 0o600)
    shutil.rmtree(stack_folder / _SPECULATIVE, ignore_errors=True)


def store_speculative(stack_folder: Path, files: Mapping[str, bytes]) -> Path:
    """Keep a plan that can only be read: no binary plan, no record."""
    folder = stack_folder / _SPECULATIVE
    part = _part(stack_folder, files)
    shutil.rmtree(folder, ignore_errors=True)
    part.replace(folder)
    return folder


def speculative(stack_folder: Path) -> Path | None:
    """The newest speculative bundle; it is gone as soon as a real plan is made."""
    folder = stack_folder / _SPECULATIVE
    return folder if folder.is_dir() else None


def newest(stack_folder: Path) -> Bundle | None:
    """The newest real bundle. Raises ``NoApprovalError`` when its record cannot be trusted."""
    try:
        digest = (stack_folder / _NEWEST).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return _load(stack_folder, digest)


def last_reviewed(stack_folder: Path, destroy: str, world: str, emulated: bool) -> Bundle | None:
    """The newest bundle of the same kind that somebody approved, else the newest; of those that were not applied."""
    found = []
    for folder in stack_folder.iterdir() if stack_folder.is_dir() else ():
        if not re.fullmatch(r"[0-9a-f]{64}", folder.name):
            continue
        try:
            bundle = _load(stack_folder, folder.name)
        except NoApprovalError:
            continue
        then = bundle.record.compared
        if (then.destroy, then.world, bundle.record.emulated) == (destroy, world, emulated) and not bundle.used():
            found.append(bundle)
    return max(found, key=lambda b: (bool(b.approvals()), b.record.made, b.digest), default=None)


def find(stack_folder: Path, digest: str) -> Bundle | None:
    """The bundle whose digest begins with ``digest``; ``None`` when this stack has none.

    Raises ``UsageError`` for a text that is no digest or fits several, ``NoApprovalError`` as ``newest`` does.
    """
    if len(digest) < 8 or not all(c in "0123456789abcdef" for c in digest):
        raise UsageError(
            f"{digest!r} is not a bundle digest", fix="Give at least its first 8 characters (hexadecimal)."
        )
    found = sorted(f.name for f in stack_folder.glob(f"{digest}*") if f.is_dir()) if stack_folder.is_dir() else []
    if len(found) > 1:
        raise UsageError(f"{digest} fits {len(found)} bundles", fix="Give more of the digest.")
    return _load(stack_folder, found[0]) if found else None


def _load(stack_folder: Path, digest: str) -> Bundle:
    folder = stack_folder / digest
    try:
        record = read_record((folder / RECORD).read_bytes())
    except OSError:
        raise NoApprovalError(f"bundle {digest[:12]} has no record", fix="Plan again.") from None
    except ValueError as error:
        raise NoApprovalError(f"bundle {digest[:12]}: {error}", fix="Plan again.") from None
    if record.digest != digest:
        raise NoApprovalError(f"the folder {digest[:12]} holds the record of another bundle", fix="Plan again.")
    return Bundle(folder, record)


def _part(stack_folder: Path, files: Mapping[str, bytes]) -> Path:
    stack_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=".part-", dir=stack_folder))  # mkdtemp makes it 0700
    for name, content in files.items():
        write_atomically(part / name, content, 0o600)
    return part


def _read_json(path: Path) -> Mapping[str, Any]:
    try:
        document = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}
