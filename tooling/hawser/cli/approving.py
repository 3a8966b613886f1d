"""Approving bundles. No terraform is started for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from hawser.cli import bundles
from hawser.cli.bundles import Bundle
from hawser.cli.people import approved, demanded, git_name, signer
from hawser.cli.storing import store_approval
from hawser.contract import load_deployment
from hawser.contract.deployment import Deployment
from hawser.decision import record as records
from hawser.decision.approvals import ALGORITHM, Approval, Demand, count, not_for, sealed, to_sign
from hawser.decision.decide import Decision
from hawser.decision.record import sha256
from hawser.errors import CannotJudgeError, DeniedError, NoApprovalError, UsageError
from hawser.terraform.stacks import NAMED, STACKS


@dataclass(frozen=True, slots=True)
class Approved:
    """A bundle that was just approved, ``how``: signed or unsigned. ``given`` of ``needed`` approvals count now."""

    stack: str
    bundle: str
    by: str
    how: str
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
        require_approvable(bundle, env)
    demand = demanded(deployment)
    give = _signing(root, deployment, demand) if demand.key else _naming(demand)
    for bundle in open_ones:
        approval = give(bundle)
        needed = max(deployment.environment.guardrails.approvals, bundle.record.approvals_needed)
        given = len(approved(deployment, bundle).people)
        stack, until = bundle.record.compared.stack, bundle.record.good_until
        yield Approved(stack, bundle.digest, approval.by, demand.word, given, needed, until)


def _naming(demand: Demand) -> Callable[[Bundle], Approval]:
    """Gives unsigned approvals under the name that git knows."""
    by = git_name()

    def give(bundle: Bundle) -> Approval:
        approval = Approval(by, records.stamp(datetime.now(UTC)))
        if wrong := not_for(bundle.record, approval, demand):
            raise NoApprovalError(f"an approval by {approval.by} {wrong}", fix="Let somebody else read and approve it.")
        bundle.add_approval(approval)
        return approval

    return give


def _signing(root: Path, deployment: Deployment, demand: Demand) -> Callable[[Bundle], Approval]:
    """Gives approvals that the key of bootstrap signs, and takes those of stored bundles into the bucket.

    Raises ``NoApprovalError`` when the key is not the one that is demanded, or who calls may not approve.
    """
    from hawser.aws.signing import public_key, sign
    from hawser.cli.talk import Talk
    from hawser.cli.workspace import open_workspace

    workspace = open_workspace(root, deployment, Talk())
    person, region = signer(workspace), deployment.environment.region
    key = public_key(region, person.aws)
    if sha256(key) != demand.key:
        raise NoApprovalError(
            f"the account's key of approvals has the SHA-256 {sha256(key)[:12]}, and the settings name"
            f" {demand.key[:12]}",
            fix="Was the key made again, or is this another account? Correct the settings by a reviewed change.",
        )

    def give(bundle: Bundle) -> Approval:
        now = datetime.now(UTC)
        approval = to_sign(bundle.record, person.caller.arn, person.caller.user_id, records.stamp(now))
        if wrong := not_for(bundle.record, approval, demand):
            raise NoApprovalError(f"an approval by {approval.by} {wrong}", fix="Let somebody else read and approve it.")
        approval = sealed(approval, key, sign(approval.statement(), ALGORITHM, region, person.aws))
        if refused := count(bundle.record, [approval], demand, now).refused:
            raise NoApprovalError(refused[0], fix="Look at the clock of this machine and at the key of bootstrap.")
        bundle.add_approval(approval)
        if bundle.stored:
            store_approval(workspace, bundle, approval, person.aws)
        return approval

    return give


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


def require_approvable(bundle: Bundle, env: str) -> None:
    """Raise ``DeniedError``, ``CannotJudgeError`` or ``NoApprovalError`` for a bundle that nobody can approve."""
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
    if sha256(bundle.read(bundles.PLAN)) != record.compared.plan_sha256:
        raise NoApprovalError(f"{name} holds another plan file than its record says", fix=f"Run `hawser plan {env}`.")
