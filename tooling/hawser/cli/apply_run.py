"""``hawser apply``: the stacks of an environment in order, each by its bundle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hawser.cli import bundles
from hawser.cli.applying import APPLIED, apply_ready, ready
from hawser.cli.approving import chosen
from hawser.cli.bundles import Bundle
from hawser.cli.judging import Gate
from hawser.cli.talk import Talk
from hawser.cli.workspace import Workspace, open_workspace, pick_stacks
from hawser.contract.deployment import Deployment
from hawser.errors import NoApprovalError
from hawser.terraform.runner import INTERRUPTS


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of one stack; ``bundle`` is ``""`` where there was only a speculative plan."""

    stack: str
    bundle: str
    result: str
    next_command: str = ""


def apply_environment(
    root: Path, deployment: Deployment, talk: Talk, only: str | None, digest: str | None
) -> Iterator[Applied]:
    """Apply the newest real bundle of each stack in order, of the one asked for, or the one with ``digest``.

    Stops with the next command where only a speculative plan exists. Raises as ``ready`` and ``apply_ready`` do.
    """
    workspace = open_workspace(root, deployment, talk)
    env, names = workspace.env, pick_stacks(workspace, only)
    plan = workspace.command("plan", names[0])
    if digest is None and not any((workspace.folder / name / "newest").is_file() for name in names):
        raise NoApprovalError(f"{env} has no bundle{f' of {only}' if only else ''} to apply", fix=f"Run `{plan}`.")
    with workspace.alone(), Gate(root, talk) as gate, INTERRUPTS.handled():
        if digest is not None:
            for named in chosen(workspace.folder, only, digest):
                yield _apply(workspace, gate, named)
            return
        for index, name in enumerate(names):
            folder = workspace.folder / name
            bundle = bundles.newest(folder)
            if bundle and bundle.used().get("result") == APPLIED and _waiting(workspace, names[index + 1 :]):
                yield Applied(name, bundle.digest, "already applied")
                continue
            if bundle is None or (bundle.used() and bundles.speculative(folder)):
                yield Applied(name, "", "its plan is speculative, so nothing is applied", plan)
                return
            yield _apply(workspace, gate, bundle)


def _waiting(workspace: Workspace, names: tuple[str, ...]) -> bool:
    """Whether a later stack has a real bundle that was not applied yet."""
    return any((found := bundles.newest(workspace.folder / name)) and not found.used() for name in names)


def _apply(workspace: Workspace, gate: Gate, bundle: Bundle) -> Applied:
    workspace.talk.step(f"{bundle.record.compared.stack}: bundle {bundle.digest}")
    with ready(workspace, gate, bundle, destroy=False) as it:
        if not it.plan.has_changes:
            return Applied(it.stack, bundle.digest, "nothing to do")
        apply_ready(workspace, it)
        return Applied(it.stack, bundle.digest, "applied", _afterwards(workspace, it.stack))


def _afterwards(workspace: Workspace, name: str) -> str:
    """What must be done after the apply: the state of a first bootstrap lies in the checkout still."""
    here = "path" in workspace.run(name).backend
    return f"hawser bootstrap move-state {workspace.env}" if here else ""
