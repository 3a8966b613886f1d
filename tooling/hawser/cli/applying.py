"""From an approved bundle to an apply of exactly that file."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from hawser.cli import bundles
from hawser.cli.bundles import Bundle
from hawser.cli.judging import Gate
from hawser.cli.people import approved
from hawser.cli.planning import approvals_needed, compared_now, final_upstream, judge_stored, show
from hawser.cli.talk import Events
from hawser.cli.workspace import StackRun, Workspace, failed
from hawser.decision import record as records
from hawser.decision.decide import Decision
from hawser.decision.record import sha256
from hawser.errors import CannotJudgeError, DeniedError, InterruptedRunError, NoApprovalError, TerraformError
from hawser.files import write_atomically
from hawser.terraform.handoff import PLACEHOLDER_STRINGS
from hawser.terraform.plan import Plan, read_plan
from hawser.terraform.stacks import PLATFORM

#: How a use of a bundle ended when all of it was done.
APPLIED: Final = "applied"


@dataclass(frozen=True, slots=True)
class Ready:
    """A bundle that may be applied now: its plan, and a private copy of exactly the bytes that were checked."""

    bundle: Bundle
    plan: Plan
    file: Path

    @property
    def stack(self) -> str:
        """Name of the stack."""
        return self.bundle.record.compared.stack


@contextlib.contextmanager
def ready(workspace: Workspace, gate: Gate, bundle: Bundle, *, destroy: bool) -> Iterator[Ready]:
    """The bundle, if it may be applied now; nothing has been changed yet. ``destroy`` says which kind is meant.

    Raises ``NoApprovalError`` on any difference, age, use or missing approval; ``DeniedError`` or ``CannotJudgeError``
    when the gate, run again on the stored plan, says so.
    """
    _require_usable(workspace, bundle, destroy=destroy)
    record, name = bundle.record, bundle.record.compared.stack
    again = workspace.command("plan", name)
    run = workspace.run(name)
    run.ensure_init()
    with tempfile.TemporaryDirectory(prefix=".apply-", dir=workspace.folder) as private:
        # Hashed, shown, judged and applied is this copy: whoever changes the bundle meanwhile changes nothing.
        file = Path(private) / bundles.PLAN
        write_atomically(file, bundle.read(bundles.PLAN), 0o600)
        now = compared_now(
            workspace, name, plan_sha256=sha256(file.read_bytes()), given=_given_now(workspace, name),
            identity=run.identity(), decision=record.compared.decision, destroy=destroy,
        )  # fmt: skip
        if differing := records.differences(record.compared, now):
            raise NoApprovalError(
                f"bundle {bundle.digest[:12]} of {name} no longer matches: {'; '.join(differing)}",
                fix=f"Run `{again}`, and review anew.",
            )
        gate.warm()
        plan = read_plan(show(run, file), f"the plan of {name}")
        if any(text in json.dumps(plan.document.get("variables")) for text in PLACEHOLDER_STRINGS):
            raise NoApprovalError(
                f"bundle {bundle.digest[:12]} was planned with values that are not final", fix=f"Run `{again}`."
            )
        _require_decision(workspace, bundle, judge_stored(workspace, gate, name, plan, destroy=destroy).decision)
        yield Ready(bundle, plan, file)


def _require_usable(workspace: Workspace, bundle: Bundle, *, destroy: bool) -> None:
    record, name = bundle.record, f"bundle {bundle.digest[:12]}"
    again = f"Run `{workspace.command('plan', record.compared.stack)}`."
    if record.emulated or workspace.emulated:
        raise NoApprovalError(f"{name} was made with --emulate and can only be read", fix=again)
    if (record.compared.destroy == "true") is not destroy:
        kind, command = ("destroys", "destroy") if not destroy else ("does not destroy", "apply")
        raise NoApprovalError(
            f"{name} {kind} the stack", fix=f"Run `{workspace.command(command, record.compared.stack)}` for it."
        )
    if record.compared.stack == PLATFORM and not destroy and PLATFORM not in workspace.names:
        raise NoApprovalError(f"{name} is of platform, and {workspace.env} stands on an existing one", fix=again)
    if used := bundle.used():
        how = "already applied" if used.get("result") == APPLIED else f"already used for an apply: {used.get('result')}"
        raise NoApprovalError(f"{name} was {how} ({used.get('at')})", fix=again)
    if records.expired(record, datetime.now(UTC)):
        raise NoApprovalError(f"{name} was good until {record.good_until}", fix=again)
    _require_approved(workspace, bundle)


def _require_approved(workspace: Workspace, bundle: Bundle) -> None:
    """Enough people approved. Asked before terraform starts: the decision, which it needs, is compared afterwards."""
    decision, stack = bundle.record.compared.decision, bundle.record.compared.stack
    if decision not in (Decision.ALLOW, Decision.NEEDS_APPROVAL):
        return  # what the gate says of it again is the reason then
    needed, given = approvals_needed(workspace, Decision(decision)), approved(workspace.deployment, bundle)
    for reason in given.refused:
        workspace.talk.step(f"{stack}: {reason}")
    if len(given.people) < needed:
        said = f"bundle {bundle.digest[:12]} of {stack} has {len(given.people)} of {needed} approvals"
        read, approve = workspace.command("show", stack), workspace.command("approve", stack)
        raise NoApprovalError("; ".join((said, *given.refused)), fix=f"Read it (`{read}`), then `{approve}`.")


def _require_decision(workspace: Workspace, bundle: Bundle, decision: Decision) -> None:
    stack = bundle.record.compared.stack
    name = f"bundle {bundle.digest[:12]} of {stack}"
    show = workspace.command("show", stack)
    see = f"Read it: `{show}`."
    if decision is Decision.DENY:
        raise DeniedError(f"the gate denies {name}", fix=see)
    if decision is Decision.CANNOT_JUDGE:
        raise CannotJudgeError(f"nobody can judge {name}", fix=see)
    if decision.value != bundle.record.compared.decision:
        raise NoApprovalError(
            f"the gate now says {decision} of {name}, it said {bundle.record.compared.decision}",
            fix=f"Run `{workspace.command('plan', stack)}`.",
        )


def _given_now(workspace: Workspace, name: str) -> bytes:
    """The bytes of what platform gives to this stack now."""
    if not workspace.run(name).declared.upstream:
        return b""
    return final_upstream(workspace, name).tfvars()


def apply_ready(workspace: Workspace, it: Ready) -> None:
    """Run ``terraform apply`` of exactly the checked bytes. From its first moment the approval is used up.

    Raises ``TerraformError`` or ``InterruptedRunError`` with what was done and what was not.
    """
    bundle, run = it.bundle, workspace.run(it.stack)
    run.require_no_errored_state()
    events = run.events()
    bundle.start_use(_now())
    if bundle.record.broken_glass:
        workspace.talk.step(f"{it.stack}: BROKEN GLASS: {bundle.record.broken_glass}")
    workspace.talk.step(f"{it.stack}: terraform apply {bundle.digest[:12]}")
    again = workspace.command("destroy" if bundle.record.compared.destroy == "true" else "plan", it.stack)
    try:
        answer = run.terraform.apply(it.file, run.folder / "apply.log", events)
    except InterruptedRunError as interrupted:
        workspace.talk.done()
        bundle.end_use(_now(), "interrupted")
        raise InterruptedRunError(
            "\n".join([interrupted.message, *_account(run, events)]),
            fix=f"Run `{again}` to see what is left.",
        ) from None
    workspace.talk.done()
    if answer.code != 0:
        bundle.end_use(_now(), "failed")
        error = failed(it.stack, "apply", events, answer)
        raise TerraformError(
            "\n".join([error.message, *_account(run, events)]),
            fix=f"The approval is used up. Mend the cause, then `{again}`: it shows only the rest.",
        )
    bundle.end_use(_now(), APPLIED)


def _now() -> str:
    return records.stamp(datetime.now(UTC))


def _account(run: StackRun, events: Events) -> list[str]:
    """What was done, what was not, and whether the state was saved."""
    if not events.started:
        return ["    nothing was applied"]
    lines = [f"    done: {len(events.applied)}, failed: {len(events.failed)}, not finished: {len(events.unfinished())}"]
    lines += [f"    not finished: {address}" for address in events.unfinished()]
    kept = run.keep_errored_state()
    if kept is None:
        lines.append("    the state was saved")
    else:
        lines.append(f"    THE STATE WAS NOT SAVED to the backend; it is kept in {kept}")
        lines.append(f"    when the backend answers again, push it: {run.push_command(kept)}")
    return lines
