"""From a judged plan to its review: what the reader is asked, what to type next, and the forms that are kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from hawser.cli import bundles
from hawser.cli.judging import Verdict
from hawser.cli.people import demanded
from hawser.cli.workspace import Workspace
from hawser.decision.decide import Decision
from hawser.report import Form, render
from hawser.report.as_json import document
from hawser.report.redact import Redactor
from hawser.report.review import Review
from hawser.terraform.plan import Plan
from hawser.terraform.stacks import BOOTSTRAP, PLATFORM

#: Width of the report that is kept in a bundle: fits a terminal of 100 columns and a code block of a pull request.
_KEPT_WIDTH: Final = 100
#: Endings of the kept forms.
_KEPT: Final[Mapping[str, Form]] = {"txt": "terminal", "md": "md", "html": "html", "json": "json"}


def review_of(
    workspace: Workspace,
    name: str,
    plan: Plan,
    serial: str,
    verdict: Verdict,
    needed: int,
    *,
    destroy: bool,
    speculative: bool = False,
) -> Review:
    """The review of a judged plan, before it is a bundle.

    ``serial`` is that of the state, ``needed`` the number of people who must approve. What is ``speculative`` can only
    be read.
    """
    env = workspace.deployment.environment
    return Review(
        environment=env.name,
        account_id=env.account_id,
        region=env.region,
        target="" if name == BOOTSTRAP else env.target,
        stack=name,
        decision=verdict.decision,
        asks=_asks(workspace, name, verdict, plan, speculative=speculative, needed=needed, destroy=destroy),
        plan=plan,
        judgement=verdict.judgement,
        speculative=speculative,
        emulated=workspace.emulated,
        destroy=destroy,
        contract_digest=workspace.deployment.digest,
        state_serial=serial,
        overrides=env.overrides,
        checked=verdict.checked,
        next_commands=_next(workspace, name, verdict, plan, speculative=speculative, needed=needed, destroy=destroy),
        gpus_needed=0 if name in (BOOTSTRAP, PLATFORM) or destroy else workspace.deployment.gpus_needed,
    )


def _asks(
    workspace: Workspace, name: str, verdict: Verdict, plan: Plan, *, speculative: bool, needed: int, destroy: bool
) -> str:
    command = workspace.command("destroy" if destroy else "apply", name)
    if verdict.decision is Decision.CANNOT_JUDGE:
        return "A rule failed to run, so nobody can judge this plan: mend that first."
    if verdict.decision is Decision.DENY:
        return "Fix what blocks, or waive it in a reviewed change, then plan again."
    if speculative:
        return "To read only: values from platform are not final yet. Apply platform, then plan again."
    if workspace.emulated:
        return f"To read only: made against the emulator. With credentials: `{workspace.command('plan', name)}`."
    if not plan.has_changes:
        return "Nothing to do: what exists is what the contract asks for."
    if needed:
        people = "one person" if needed == 1 else f"{needed} people"
        how = demanded(workspace.deployment).word
        return f"Read it; {people} must approve it before `{command}` (approvals are {how} here)."
    return f"Nothing forbids it: `{command}`."


def _next(
    workspace: Workspace, name: str, verdict: Verdict, plan: Plan, *, speculative: bool, needed: int, destroy: bool
) -> tuple[str, ...]:
    if speculative:
        again = f"hawser plan {workspace.env}"
        return (again,) if workspace.emulated else (f"hawser apply {workspace.env}   # applies platform", again)
    if workspace.emulated or verdict.decision in (Decision.DENY, Decision.CANNOT_JUDGE):
        return (workspace.command("plan", name),)
    if not plan.has_changes:
        return ()
    command = workspace.command("destroy" if destroy else "apply", name)
    return (workspace.command("approve", name), command) if needed else (command,)


def kept_forms(review: Review) -> dict[str, bytes]:
    """The forms of a review that a bundle keeps, by file name; all of them redacted."""
    redactor = Redactor.of(review.plan.document)  # it searches the whole plan: once for all forms
    kept = {
        f"report.{ending}": render(review, form, width=_KEPT_WIDTH, colour=False, redactor=redactor).encode()
        for ending, form in _KEPT.items()
    }
    found = json.loads(kept["report.json"])["findings"]
    return kept | {bundles.FINDINGS: (json.dumps(found, indent=2, sort_keys=True) + "\n").encode()}


def findings(review: Review) -> list[dict[str, object]]:
    """The findings of a review as its JSON form has them."""
    found: list[dict[str, object]] = document(review, Redactor.of(review.plan.document))["findings"]
    return found
