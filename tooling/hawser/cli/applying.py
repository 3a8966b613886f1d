"""From an approved bundle to an apply of exactly that file."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Final

from hawser.cli import bundles
from hawser.cli.bundles import Bundle
from hawser.cli.judging import Gate
from hawser.cli.planning import approvals_needed, compared_now, judge_stored, platform_outputs, show
from hawser.cli.talk import Events
from hawser.cli.workspace import StackRun, Workspace, failed
from hawser.decision import record as records
from hawser.decision.decide import Decision
from hawser.decision.record import sha256
from hawser.errors import CannotJudgeError, Exit, HawserError, InterruptedRunError, NoApprovalError, TerraformError
from hawser.terraform.handoff import PLACEHOLDER_STRINGS, Upstream
from hawser.terraform.plan import Plan, read_plan
from hawser.terraform.stacks import PLATFORM

#: How a use of a bundle ended when all of it was done.
APPLIED: Final = "applied"


class DeniedError(HawserError):
    """The gate denies the plan."""

    exit_code = Exit.DENIED


def require_applicable(workspace: Workspace, gate: Gate, bundle: Bundle) -> Plan:
    """The plan in ``bundle``, if it may be applied now; nothing has been changed yet.

    Raises ``NoApprovalError`` on any difference, age, use or missing approval; ``DeniedError`` or ``CannotJudgeError``
    when the gate, run again on the stored plan, says so.
    """
    record, name = bundle.record, bundle.record.compared.stack
    env = workspace.env
    again = f"hawser plan {env}"
    if record.emulated or workspace.emulated:
        raise NoApprovalError(
            f"bundle {bundle.digest[:12]} was made against the emulator", fix=f"Run `{again}` with credentials."
        )
    if used := bundle.used():
        raise NoApprovalError(
            f"bundle {bundle.digest[:12]} was already applied at {used.get('at')} ({used.get('result')})",
            fix=f"Run `{again}`.",
        )
    if records.expired(record, datetime.now(UTC)):
        raise NoApprovalError(f"bundle {bundle.digest[:12]} was good until {record.good_until}", fix=f"Run `{again}`.")
    plan_file = bundle.read(bundles.PLAN)
    run = workspace.run(name)
    run.ensure_init()
    now = compared_now(
        workspace, name, plan_sha256=sha256(plan_file), given=_given_now(workspace, name),
        identity=run.identity(), decision=record.compared.decision, destroy=record.compared.destroy == "true",
    )  # fmt: skip
    if differing := records.differences(record.compared, now):
        raise NoApprovalError(
            f"bundle {bundle.digest[:12]} of {name} no longer matches: {'; '.join(differing)}",
            fix=f"Run `{again}`, and review anew.",
        )
    plan = read_plan(show(run, bundle.folder / bundles.PLAN), f"the plan of {name}", frozenset())
    if any(text in json.dumps(plan.document.get("variables")) for text in PLACEHOLDER_STRINGS):
        raise NoApprovalError(
            f"bundle {bundle.digest[:12]} was planned with values that are not final", fix=f"Run `{again}`."
        )
    decision = judge_stored(workspace, gate, plan).decision
    if decision is Decision.DENY:
        raise DeniedError(f"the gate denies bundle {bundle.digest[:12]} of {name}", fix=f"Run `hawser show {env}`.")
    if decision is Decision.CANNOT_JUDGE:
        raise CannotJudgeError(
            f"nobody can judge bundle {bundle.digest[:12]} of {name}", fix=f"Run `hawser show {env}`."
        )
    if decision.value != record.compared.decision:
        raise NoApprovalError(
            f"the gate now says {decision} of bundle {bundle.digest[:12]}, it said {record.compared.decision}",
            fix=f"Run `{again}`.",
        )
    _require_approved(workspace, bundle, decision)
    return plan


def _require_approved(workspace: Workspace, bundle: Bundle, decision: Decision) -> None:
    needed, given = approvals_needed(workspace, decision), bundle.approvers()
    if len(given) < needed:
        raise NoApprovalError(
            f"bundle {bundle.digest[:12]} of {bundle.record.compared.stack} has {len(given)} of {needed} approvals",
            fix=f"Read it (`hawser show {workspace.env}`), then `hawser approve {workspace.env}`.",
        )


def _given_now(workspace: Workspace, name: str) -> bytes:
    """The bytes of what platform gives to this stack now."""
    if name == PLATFORM:
        return b""
    return Upstream(platform_outputs(workspace, name), ()).tfvars()


def apply_bundle(workspace: Workspace, bundle: Bundle) -> None:
    """Run ``terraform apply`` of exactly the bundle's file. From its first moment the approval is used up.

    Raises ``TerraformError`` or ``InterruptedRunError`` with what was done and what was not.
    """
    name = bundle.record.compared.stack
    run = workspace.run(name)
    events = run.events()
    bundle.mark_used(records.stamp(datetime.now(UTC)), "started")
    workspace.talk.step(f"{name}: terraform apply {bundle.digest[:12]}")
    try:
        answer = run.terraform.apply(bundle.folder / bundles.PLAN, events)
    except InterruptedRunError as interrupted:
        workspace.talk.done()
        bundle.mark_used(records.stamp(datetime.now(UTC)), "interrupted")
        raise InterruptedRunError(
            "\n".join([interrupted.message, *_account(run, events)]),
            fix=f"Run `hawser plan {workspace.env}` to see what is left.",
        ) from None
    workspace.talk.done()
    if answer.code != 0:
        bundle.mark_used(records.stamp(datetime.now(UTC)), "failed")
        error = failed(name, "apply", events, answer)
        raise TerraformError(
            "\n".join([error.message, *_account(run, events)]),
            fix=f"The approval is used up. Mend the cause, then `hawser plan {workspace.env}`: it shows only the rest.",
        )
    bundle.mark_used(records.stamp(datetime.now(UTC)), APPLIED)


def _account(run: StackRun, events: Events) -> list[str]:
    """What was done, what was not, and whether the state was saved."""
    lines = [f"    done: {len(events.applied)}, failed: {len(events.failed)}, not finished: {len(events.unfinished())}"]
    lines += [f"    not finished: {address}" for address in events.unfinished()]
    kept = run.keep_errored_state()
    if kept is None:
        lines.append("    the state was saved")
    else:
        lines.append(f"    THE STATE WAS NOT SAVED to the backend; it is kept in {kept}")
        lines.append(f"    push it from terraform/{run.name}: terraform state push {kept}")
    return lines
