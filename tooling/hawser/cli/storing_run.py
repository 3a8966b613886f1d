"""``hawser bundle push`` and ``hawser bundle pull``: the stacks of an environment in order."""

from __future__ import annotations

from pathlib import Path

from hawser.cli import bundles
from hawser.cli.approving import chosen, require_approvable
from hawser.cli.judging import Gate
from hawser.cli.storing import Stored, pull, push
from hawser.cli.talk import Talk
from hawser.cli.workspace import open_workspace, pick_stacks
from hawser.contract import load_deployment
from hawser.errors import NoApprovalError, UsageError
from hawser.terraform.runner import INTERRUPTS


def push_environment(root: Path, env: str, only: str | None, digest: str | None) -> list[Stored]:
    """Push what could be approved. Raises ``NoApprovalError`` when that is nothing, and as ``push`` does."""
    workspace = open_workspace(root, load_deployment(root, env), Talk())
    found = chosen(workspace.folder, only, digest)
    if digest is None:  # a newer plan that can only be read takes the place of the bundle before it
        found = [b for b in found if not bundles.speculative(b.folder.parent)]
    unused = [bundle for bundle in found if not bundle.used()]
    if not unused:
        raise NoApprovalError(f"there is no bundle of {env} to push", fix=f"Run `hawser plan {env}`.")
    for bundle in unused:
        require_approvable(bundle, env)
    with workspace.alone():
        return [push(workspace, bundle) for bundle in unused]


def pull_environment(root: Path, env: str, only: str | None, digest: str | None) -> list[Stored]:
    """Pull. Raises ``NoApprovalError`` when there is nothing, ``UsageError`` for no digest, and as ``pull`` does."""
    if digest is not None and (len(digest) < 8 or set(digest) - set("0123456789abcdef")):
        raise UsageError(
            f"{digest!r} is not a bundle digest", fix="Give at least its first 8 characters (hexadecimal)."
        )
    talk = Talk()
    workspace = open_workspace(root, load_deployment(root, env), talk)
    names = pick_stacks(workspace, only)
    with workspace.alone(), Gate(root, talk) as gate, INTERRUPTS.handled():
        pulled = [stored for name in names if (stored := pull(workspace, gate, name, digest))]
    if not pulled:
        which = digest or "made from what this checkout holds"
        raise NoApprovalError(
            f"s3://{workspace.state_bucket} has no bundle of {env} {which}",
            fix="Check out what was reviewed, or plan again and `hawser bundle push`.",
        )
    return pulled
