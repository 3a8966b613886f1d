"""``hawser apply``: the stacks of an environment in order, each by its bundle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hawser.cli import bundles
from hawser.cli.applying import APPLIED, apply_bundle, require_applicable
from hawser.cli.approving import chosen
from hawser.cli.bundles import Bundle
from hawser.cli.judging import Gate
from hawser.cli.talk import Talk
from hawser.cli.workspace import Workspace, open_workspace
from hawser.contract.deployment import Deployment
from hawser.errors import NoApprovalError
from hawser.terraform.runner import INTERRUPTS


def apply_environment(root: Path, deployment: Deployment, talk: Talk, digest: str | None) -> Iterator[str]:
    """Apply the newest real bundle of each stack in order, or the one with ``digest``; a line for each.

    Stops with the next command where only a speculative plan exists. Raises as ``require_applicable`` and
    ``apply_bundle`` do.
    """
    workspace = open_workspace(root, deployment, talk)
    env = workspace.env
    if digest is None and not any((workspace.folder / name / "newest").is_file() for name in workspace.names):
        raise NoApprovalError(f"{env} has no bundle to apply", fix=f"Run `hawser plan {env}`.")
    with Gate(root, talk) as gate, INTERRUPTS.handled():
        if digest is not None:
            for named in chosen(workspace.folder, None, digest):
                yield _apply(workspace, gate, named)
            return
        for index, name in enumerate(workspace.names):
            folder = workspace.folder / name
            bundle = bundles.newest(folder)
            if bundle and bundle.used().get("result") == APPLIED and _waiting(workspace, workspace.names[index + 1 :]):
                yield f"{name}: already applied ({bundle.digest[:12]})"
                continue
            if bundle is None or (bundle.used() and bundles.speculative(folder)):
                yield f"{name}: its plan is speculative, so nothing is applied. Next: hawser plan {env}"
                return
            if bundle.record.compared.destroy == "true":
                raise NoApprovalError(
                    f"the newest plan of {name} destroys it", fix=f"Run `hawser destroy {env}`, or plan again."
                )
            yield _apply(workspace, gate, bundle)


def _waiting(workspace: Workspace, names: tuple[str, ...]) -> bool:
    """Whether a later stack has a real bundle that was not applied yet."""
    return any((found := bundles.newest(workspace.folder / name)) and not found.used() for name in names)


def _apply(workspace: Workspace, gate: Gate, bundle: Bundle) -> str:
    name = bundle.record.compared.stack
    workspace.talk.step(f"{name}: bundle {bundle.digest}")
    plan = require_applicable(workspace, gate, bundle)
    if not plan.has_changes:
        return f"{name}: nothing to do ({bundle.digest[:12]})"
    apply_bundle(workspace, bundle)
    return f"{name}: applied {bundle.digest}"
