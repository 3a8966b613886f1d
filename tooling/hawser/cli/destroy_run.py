"""``hawser destroy``: the stack behind platform first, then platform, each by a bundle of its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from hawser.cli import bundles
from hawser.cli.applying import apply_ready, ready
from hawser.cli.bundles import Bundle
from hawser.cli.judging import Gate
from hawser.cli.people import approved
from hawser.cli.planning import approvals_needed, plan_destroy
from hawser.cli.printing import print_reviews
from hawser.cli.talk import Talk
from hawser.cli.workspace import Workspace, open_workspace, pick_stacks
from hawser.contract import environment_names, load_deployment
from hawser.contract.deployment import Deployment
from hawser.decision.decide import Decision
from hawser.errors import Exit, HawserError, NoApprovalError
from hawser.terraform.runner import INTERRUPTS
from hawser.terraform.stacks import BOOTSTRAP, PLATFORM, STACKS, TARGETS


def destroy_environment(root: Path, deployment: Deployment, talk: Talk, only: str | None) -> Exit:
    """Destroy every stack that holds resources, or one; the exit code of the first that may not be destroyed.

    Raises ``NoApprovalError`` when platform would go before what stands on it.
    """
    workspace = open_workspace(root, deployment, talk)
    order = pick_stacks(workspace, only) if only else tuple(reversed(workspace.names))
    with workspace.alone(), Gate(root, talk) as gate, INTERRUPTS.handled():
        for name in order:
            run = workspace.run(name)
            run.ensure_init()
            if not run.identity().resources:
                click.echo(f"{name}: holds no resources")
                continue
            if name == PLATFORM:
                _require_nothing_behind(workspace)
            if name == BOOTSTRAP:
                _require_unused(workspace)
            if (code := _destroy(workspace, gate, name)) is not Exit.OK:
                return code
    return Exit.OK


def _require_nothing_behind(workspace: Workspace) -> None:
    for name in TARGETS:
        run = workspace.run(name)
        run.ensure_init()
        if count := run.identity().resources:
            raise NoApprovalError(
                f"platform of {workspace.env} is not destroyed while {name} holds {count} resources",
                fix=f"Run `hawser destroy {workspace.env} --stack {name}` first.",
            )


def _require_unused(workspace: Workspace) -> None:
    """Refuse to take bootstrap away under what stands on it.

    Raises ``NoApprovalError`` while an environment of the account and region holds resources, or while its own state
    lies in the bucket that would go with it.
    """
    environment = workspace.deployment.environment
    if workspace.emulator is None:
        if workspace.run(BOOTSTRAP).backend.get("bucket") == environment.state.bucket:
            raise NoApprovalError(
                "bootstrap is not destroyed while its state lies in the bucket that it would delete",
                fix="terraform/bootstrap/README.md says how an account is given up, under 'The end'.",
            )
        from hawser.aws.objects import Found, look

        if look(environment.state.bucket, workspace.state_key(BOOTSTRAP), environment.region) is Found.NO_BUCKET:
            return  # then no environment has a state
    for name in environment_names(workspace.root):
        other = load_deployment(workspace.root, name)
        if _place(other) == _place(workspace.deployment):
            _require_empty(workspace if name == workspace.env else replace(workspace, deployment=other, _runs={}))


def _place(deployment: Deployment) -> tuple[str, str, bool]:
    environment = deployment.environment
    return environment.account_id, environment.region, environment.emulator


def _require_empty(workspace: Workspace) -> None:
    for name in STACKS:
        run = workspace.run(name)
        run.ensure_init()
        if count := run.identity().resources:
            raise NoApprovalError(
                f"bootstrap is not destroyed while {name} of {workspace.env} holds {count} resources",
                fix=f"Run `hawser destroy {workspace.env}` first.",
            )


def _destroy(workspace: Workspace, gate: Gate, name: str) -> Exit:
    bundle = _waiting(workspace, name)
    if bundle is None:
        planned = plan_destroy(workspace, gate, name)
        print_reviews([planned.review])
        if planned.review.decision.exit_code is not Exit.OK:
            return planned.review.decision.exit_code
        bundle = planned.bundle
        assert bundle is not None  # a destroy plan consumes real values, so it is never speculative
        decision = planned.review.decision
        if len(approved(workspace.deployment, bundle).people) < approvals_needed(workspace, decision):
            return _ask(workspace, name, bundle, decision)
    with ready(workspace, gate, bundle, destroy=True) as it:
        apply_ready(workspace, it)
    click.echo(f"{name}: destroyed {bundle.digest}")
    return Exit.OK


def _waiting(workspace: Workspace, name: str) -> Bundle | None:
    """An approved destroy plan that was not used yet."""
    try:
        bundle = bundles.newest(workspace.folder / name)
    except HawserError:
        return None
    if bundle is None or bundle.used() or bundle.record.compared.destroy != "true" or not bundle.approvals():
        return None
    return bundle


def _ask(workspace: Workspace, name: str, bundle: Bundle, decision: Decision) -> Exit:
    needed = approvals_needed(workspace, decision)
    click.echo(
        f"hawser: destroying {name} of {workspace.env} needs {needed} approval{'s' if needed > 1 else ''}\n"
        f"  → `hawser approve {workspace.env} --bundle {bundle.digest[:12]}`,"
        f" then `{workspace.command('destroy', name)}`.",
        err=True,
    )
    return Exit.NO_APPROVAL
