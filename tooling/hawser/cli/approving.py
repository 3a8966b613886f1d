"""Approving bundles, and showing them. Neither starts terraform."""

from __future__ import annotations

import getpass
import shutil
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from hawser.cli import bundles
from hawser.cli.bundles import Bundle
from hawser.contract import load_deployment
from hawser.decision import record as records
from hawser.decision.decide import Decision
from hawser.errors import CannotJudgeError, DeniedError, NoApprovalError, UsageError
from hawser.terraform.stacks import NAMED, STACKS


@dataclass(frozen=True, slots=True)
class Approved:
    """A bundle that was just approved: ``given`` of ``needed`` approvals are there now."""

    stack: str
    bundle: str
    by: str
    given: int
    needed: int
    good_until: str


def approve(root: Path, env: str, only: str | None, digest: str | None) -> Iterator[Approved]:
    """Approve, and say per bundle what was approved by whom.

    Raises ``NoApprovalError`` when there is nothing that can be approved, ``DeniedError`` and ``CannotJudgeError`` for
    plans that are fixed or waived instead.
    """
    deployment = load_deployment(root, env)
    folder = root / ".hawser" / env
    found = chosen(folder, only, digest)
    open_ones = [b for b in found if not b.used() and b.record.compared.environment == env]
    foreign = [b for b in found if b.record.compared.environment != env]
    if foreign:
        raise NoApprovalError(
            f"bundle {foreign[0].digest[:12]} was made for {foreign[0].record.compared.environment}, not for {env}",
            fix=f"Run `hawser plan {env}`.",
        )
    if not open_ones:
        raise NoApprovalError(f"there is no bundle of {env} to approve", fix=f"Run `hawser plan {env}`.")
    for bundle in open_ones:
        _require_approvable(bundle, env)
    by = approver()
    for bundle in open_ones:
        bundle.approve(by, records.stamp(datetime.now(UTC)))
        needed = max(deployment.environment.guardrails.approvals, bundle.record.approvals_needed)
        stack, given = bundle.record.compared.stack, len(bundle.approvers())
        yield Approved(stack, bundle.digest, by, given, needed, bundle.record.good_until)


def chosen(folder: Path, only: str | None, digest: str | None) -> list[Bundle]:
    """The bundles meant: by digest, or the newest of each stack of the environment, or of the one that is named."""
    if only is not None and only not in NAMED:
        raise UsageError(f"there is no stack {only!r}", fix=f"Stacks are {', '.join(NAMED)}.")
    names = (only,) if only else NAMED if digest else STACKS
    if digest is None:
        return [found for name in names if (found := bundles.newest(folder / name))]
    named = [bundle for name in names if (bundle := bundles.find(folder / name, digest))]
    if not named:
        raise NoApprovalError(f"there is no bundle {digest} here", fix="`hawser show ENV` lists the digests.")
    return named


def approver() -> str:
    """Who is at the keyboard: git's user.email, else user@host."""
    git = shutil.which("git")
    if git:
        answer = subprocess.run([git, "config", "user.email"], capture_output=True, text=True, check=False)
        if answer.returncode == 0 and answer.stdout.strip():
            return answer.stdout.strip()
    try:
        return f"{getpass.getuser()}@{socket.gethostname()}"
    except (KeyError, OSError):
        raise NoApprovalError("nobody knows who you are", fix="Set `git config user.email`.") from None


def _require_approvable(bundle: Bundle, env: str) -> None:
    record, name = bundle.record, f"bundle {bundle.digest[:12]} of {bundle.record.compared.stack}"
    if record.emulated:
        raise NoApprovalError(
            f"{name} was made against the emulator and can only be read", fix=f"Run `hawser plan {env}`."
        )
    if record.compared.decision == Decision.DENY:
        raise DeniedError(f"{name} is denied", fix="Fix what blocks, or waive it in a reviewed change.")
    if record.compared.decision == Decision.CANNOT_JUDGE:
        raise CannotJudgeError(f"{name} could not be judged", fix=f"Run `hawser plan {env}` again.")
    if records.expired(record, datetime.now(UTC)):
        raise NoApprovalError(f"{name} was good until {record.good_until}", fix=f"Run `hawser plan {env}`.")
    if records.sha256(bundle.read(bundles.PLAN)) != record.compared.plan_sha256:
        raise NoApprovalError(f"{name} holds another plan file than its record says", fix=f"Run `hawser plan {env}`.")
