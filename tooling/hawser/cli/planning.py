"""From a workspace to judged plans: terraform plan, the gate, a bundle per stack."""

from __future__ import annotations

import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from hawser import __version__
from hawser.cli import bundles
from hawser.cli.bundles import Bundle
from hawser.cli.judging import Gate, Verdict
from hawser.cli.people import approved, demanded, planner
from hawser.cli.reviewing import findings, kept_forms, review_of
from hawser.cli.workspace import MASK, StackRun, StateIdentity, Workspace, failed
from hawser.contract import ContractError, Problem
from hawser.contract.waivers import load_waivers, waivers_bytes
from hawser.decision import break_glass
from hawser.decision import record as records
from hawser.decision.decide import Decision
from hawser.decision.record import Compared, Record, sha256
from hawser.decision.since import Seen, lines_bytes, read_seen, since
from hawser.emulator.noise import NoiseEntry, load_noise
from hawser.errors import HawserError, NoApprovalError, TerraformError
from hawser.files import write_atomically
from hawser.policy.findings import Finding
from hawser.policy.findings import Verdict as RuleVerdict
from hawser.policy.known import LIVE_STACK
from hawser.policy.sources import policy_digest
from hawser.report.review import Review
from hawser.terraform.handoff import Upstream, from_existing, from_outputs, upstream
from hawser.terraform.plan import Plan, read_plan
from hawser.terraform.stacks import BOOTSTRAP, PLATFORM

#: A plan takes no lock. One made beside a change shows half of it; its record dies with the next write of the state.
_LOCKED = "The state was locked while this was planned ({holder}). If an apply is at work, plan again when it ends."


@dataclass(frozen=True)
class Planned:
    """A judged plan of one stack; ``bundle`` is ``None`` for a speculative one."""

    name: str
    plan: Plan
    verdict: Verdict
    review: Review
    bundle: Bundle | None


@dataclass(frozen=True)
class _Made:
    """What terraform made for one stack."""

    plan: Plan
    document: bytes
    file: Path
    identity: StateIdentity


def plan_stacks(workspace: Workspace, gate: Gate, only: str | None = None) -> Iterator[Planned]:
    """Plan every stack of the environment in order, or the one asked for, and judge each.

    With ``only`` a later stack, platform is planned too (its outputs decide whether the plan is real) but not reported.
    An existing platform is not planned: what it gives is final, so the plan behind it is real at once.
    bootstrap is planned only when it is asked for, and alone.
    """
    load_waivers(workspace.root, workspace.env)  # a mistake in them, or in the settings of approvals, is told before
    demanded(workspace.deployment)  # terraform is waited for
    gate.warm()
    workspace.only = only
    wanted = workspace.names if only is None else (only,)
    with (
        tempfile.TemporaryDirectory(prefix=".plan-", dir=_made_folder(workspace)) as scratch,
        ThreadPoolExecutor(max_workers=1) as beside,
    ):
        if wanted == (BOOTSTRAP,):
            yield _judge(workspace, gate, BOOTSTRAP, _make(workspace, BOOTSTRAP, Path(scratch), None), None, ())
            return
        # What is asked beside terraform costs nothing: the other target's state while platform is planned, and the
        # gate on platform while the next stack is planned.
        live = beside.submit(_live_others, workspace, wanted)
        platform = _make(workspace, PLATFORM, Path(scratch), None) if PLATFORM in workspace.names else None
        others = live.result()
        later = [_later(workspace, name, platform, Path(scratch), beside) for name in wanted if name != PLATFORM]
        if platform and PLATFORM in wanted:
            yield _judge(workspace, gate, PLATFORM, platform, None, ())
        for name, given, made in later:
            yield _judge(workspace, gate, name, made.result(), given, others)


def _later(
    workspace: Workspace, name: str, platform: _Made | None, scratch: Path, beside: ThreadPoolExecutor
) -> tuple[str, Upstream, Future[_Made]]:
    """Start planning a stack that consumes what ``platform`` hands over; ``None`` for an existing one."""
    if platform is None:
        given = final_upstream(workspace, name)
    else:
        zones = workspace.deployment.environment.node_zones
        given = upstream(workspace.run(name).declared.upstream, platform.plan, zones)
    return name, given, beside.submit(_make, workspace, name, scratch, given)


def plan_destroy(workspace: Workspace, gate: Gate, name: str) -> Planned:
    """Plan and judge the destruction of one stack."""
    gate.warm()
    with tempfile.TemporaryDirectory(prefix=".plan-", dir=_made_folder(workspace)) as scratch:
        given = final_upstream(workspace, name) if workspace.run(name).declared.upstream else None
        made = _make(workspace, name, Path(scratch), given, destroy=True)
        return _judge(workspace, gate, name, made, given, (), destroy=True)


def final_upstream(workspace: Workspace, name: str) -> Upstream:
    """What ``name`` consumes, as it is now: from the existing platform in env.yaml, or from platform's state.

    Raises ``ContractError`` when env.yaml does not give all of it, ``TerraformError`` when the state cannot be read.
    """
    env, names = workspace.deployment.environment, workspace.run(name).declared
    consumed = names.upstream
    if env.existing is None:
        return Upstream(_platform_outputs(workspace, consumed), ())
    given = from_existing(consumed, env.existing, env)
    place = workspace.deployment.place("platform.existing")
    assert place is not None
    if missing := sorted(set(consumed) - set(names.upstream_optional) - set(given.values)):
        wants = f"what terraform/{name} consumes"
        raise ContractError(
            Problem(place, f"platform.existing.{field}", "nothing", wants, f"add the line `{field}: …`")
            for field in missing
        )
    return given


def _platform_outputs(workspace: Workspace, consumed: Iterable[str]) -> Mapping[str, object]:
    run = workspace.run(PLATFORM)
    run.ensure_init()
    answer = run.terraform.outputs()
    if answer.code != 0:
        raise failed(PLATFORM, "output", None, answer)
    try:
        return from_outputs(consumed, answer.out)
    except ValueError:
        raise TerraformError("terraform output of platform did not answer with JSON", fix="Run it by hand.") from None


def compared_now(
    workspace: Workspace,
    name: str,
    *,
    plan_sha256: str,
    given: bytes,
    identity: StateIdentity,
    decision: str,
    destroy: bool,
) -> Compared:
    """Everything that is compared, as it is now. ``given`` are the bytes of the consumed upstream values."""
    run, env = workspace.run(name), workspace.deployment.environment
    return Compared(
        plan_sha256=plan_sha256,
        tfvars_sha256=sha256(workspace.tfvars(name)),
        upstream_sha256=sha256(given),
        sources_sha256=run.sources_sha256,
        policy_sha256=policy_digest(),
        waivers_sha256=sha256(waivers_bytes(workspace.root, env.name)),
        lock_sha256=run.lock_sha256,
        environment=env.name,
        account_id=env.account_id,
        region=env.region,
        stack=name,
        backend_sha256=run.backend_sha256,
        lineage=identity.lineage,
        serial=identity.serial,
        terraform_version=run.terraform_version,
        decision=decision,
        destroy=str(destroy).lower(),
        world=workspace.world,
    )


def judge_stored(workspace: Workspace, gate: Gate, name: str, plan: Plan, *, destroy: bool) -> Verdict:
    """The gate once more, on a plan that was made earlier."""
    alone = destroy or not workspace.run(name).declared.upstream
    return gate.judge(
        plan,
        workspace.deployment,
        stack=name,
        exceptions=load_waivers(workspace.root, workspace.env),
        noise=_noise(workspace),
        extra=() if alone else _live_others(workspace, (name,)),
    )


def review_stored(workspace: Workspace, gate: Gate, record: Record, file: Path) -> tuple[Review, dict[str, bytes]]:
    """The gate on the plan in ``file``, which another machine made with ``record``; and the files that are made of it.

    Raises ``TerraformError`` when terraform cannot show it, and as the gate does.
    """
    name, then, destroy = record.compared.stack, record.compared, record.compared.destroy == "true"
    run = workspace.run(name)
    run.ensure_init()
    gate.warm()
    document = show(run, file)
    plan = read_plan(document, f"the plan of {name}")
    verdict = judge_stored(workspace, gate, name, plan, destroy=destroy)
    needed = approvals_needed(workspace, verdict.decision)
    review = review_of(workspace, name, plan, then.serial, verdict, needed, destroy=destroy)
    review = replace(review, digest=record.digest, good_until=record.good_until)
    # Counted anew: the key under which the other machine did it stays there.
    lines = records.change_lines(plan, _key(workspace))
    review = _with_since(review, _seen(workspace, name, destroy=destroy), lines)
    return review, {bundles.PLAN_JSON: document, bundles.CHANGES: lines_bytes(lines), **kept_forms(review)}


def show(run: StackRun, file: Path) -> bytes:
    """The JSON of a saved plan. Raises ``TerraformError`` when terraform cannot show it."""
    answer = run.terraform.show(file)
    if answer.code != 0:
        raise failed(run.name, "show", None, answer)
    return answer.out


# -- terraform ---------------------------------------------------------------------------------------------------


def _make(workspace: Workspace, name: str, scratch: Path, given: Upstream | None, *, destroy: bool = False) -> _Made:
    run = workspace.run(name)
    var_files = [_write(scratch / f"{name}.tfvars.json", workspace.tfvars(name))]
    if given is not None:
        var_files.append(_write(scratch / f"{name}.upstream.tfvars.json", given.tfvars()))
    run.ensure_init()
    file = scratch / f"{name}.tfplan"
    events = run.events()
    workspace.talk.step(f"{name}: terraform plan{' -destroy' if destroy else ''}")
    with ThreadPoolExecutor(max_workers=2) as beside:
        # Asked for while terraform plans: the one costs a start of terraform, the other the import of boto3.
        identity, holder = beside.submit(run.identity), beside.submit(workspace.lock_holder, name)
        answer = run.terraform.plan(file, var_files, events, destroy=destroy)
        workspace.talk.done()
        if answer.code not in (0, 2):
            raise failed(name, "plan", events, answer)
        found, locked_by = identity.result(), holder.result()
    document = show(run, file)
    placeholders = given.placeholders if given else frozenset()
    plan = read_plan(document, f"the plan of {name}", placeholders)
    notes = [f"Terraform warns: {warning}" for warning in events.warnings]
    if locked_by:
        notes.append(_LOCKED.format(holder=MASK(locked_by)))
    return _Made(replace(plan, notes=(*plan.notes, *notes)), document, file, found)


def _write(path: Path, content: bytes) -> Path:
    write_atomically(path, content, 0o600)
    return path


def _made_folder(workspace: Workspace) -> Path:
    workspace.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return workspace.folder


# -- the gate ----------------------------------------------------------------------------------------------------


def _judge(
    workspace: Workspace,
    gate: Gate,
    name: str,
    made: _Made,
    given: Upstream | None,
    extra: tuple[Finding, ...],
    *,
    destroy: bool = False,
) -> Planned:
    workspace.talk.step(f"{name}: the gate")
    verdict = gate.judge(
        made.plan,
        workspace.deployment,
        stack=name,
        exceptions=load_waivers(workspace.root, workspace.env),
        noise=_noise(workspace),
        extra=extra,
    )
    speculative = given is not None and given.speculative
    needed = approvals_needed(workspace, verdict.decision)
    review = review_of(
        workspace, name, made.plan, made.identity.serial, verdict, needed, destroy=destroy, speculative=speculative
    )
    files = {bundles.PLAN_JSON: made.document, bundles.TFVARS: workspace.tfvars(name)}
    if given is not None:
        files[bundles.UPSTREAM] = given.tfvars()
    if speculative:
        bundles.store_speculative(workspace.run(name).folder, files | kept_forms(review))
        return Planned(name, made.plan, verdict, review, None)
    lines = records.change_lines(made.plan, _key(workspace))
    seen = _seen(workspace, name, destroy=destroy)
    files[bundles.CHANGES] = lines_bytes(lines)
    bundle = _bundle(
        workspace, made, verdict, review, files, given, destroy=destroy, fingerprint=records.fingerprint(lines)
    )
    final = replace(review, digest=bundle.digest, good_until=bundle.record.good_until)
    final = _with_since(final, seen, lines)
    for file, content in kept_forms(final).items():
        write_atomically(bundle.folder / file, content, 0o600)
    return Planned(name, made.plan, verdict, final, bundle)


def _bundle(
    workspace: Workspace,
    made: _Made,
    verdict: Verdict,
    review: Review,
    files: Mapping[str, bytes],
    given: Upstream | None,
    *,
    destroy: bool,
    fingerprint: str,
) -> Bundle:
    run, rails = workspace.run(review.stack), workspace.deployment.environment.guardrails
    earlier = _earlier(run)
    compared = compared_now(
        workspace, review.stack, plan_sha256=sha256(made.file.read_bytes()), given=given.tfvars() if given else b"",
        identity=made.identity, decision=verdict.decision.value, destroy=destroy,
    )  # fmt: skip
    now, glass = datetime.now(UTC), verdict.judgement.broken_glass
    until = records.good_until(now, rails.approval_age_hours)
    record = Record(
        compared=compared,
        made=records.stamp(now),
        good_until=min(until, records.stamp(glass.until)) if glass else until,
        approvals_needed=approvals_needed(workspace, verdict.decision),
        approvals=demanded(workspace.deployment).word,
        planner=planner(workspace),
        emulated=workspace.emulated,
        broken_by=glass.by if glass else "",
        broken_glass=break_glass.sentence(glass) if glass else "",
        fingerprint=fingerprint,
        findings_sha256=records.findings_digest(verdict.judgement.findings),
        commit=_commit(workspace.root),
        hawser_version=__version__,
    )
    carried = earlier.approvals() if earlier and _carries(earlier, record, now) else ()
    if earlier and carried:
        record = replace(record, good_until=min(record.good_until, earlier.record.good_until))
    bundle = bundles.store(run.folder, record, files, made.file)
    if earlier:
        for approval in carried:
            bundle.add_approval(replace(approval, carried_from=earlier.digest))
    return bundle


def _carries(earlier: Bundle, record: Record, now: datetime) -> bool:
    """An equal re-plan keeps the unsigned approvals of a bundle that could still be applied, and their age.

    A signature is one of exactly one bundle, so signed ones are given again.
    """
    return (
        record.approvals == "unsigned"
        and not earlier.used()
        and not records.expired(earlier.record, now)
        and _same_change(earlier.record, record)
    )


def _seen(workspace: Workspace, name: str, *, destroy: bool) -> Seen | None:
    """The last plan of the stack that somebody could review and that was not applied."""
    folder = workspace.run(name).folder
    bundle = bundles.last_reviewed(folder, str(destroy).lower(), workspace.world, workspace.emulated)
    if bundle is None:
        return None
    try:
        lines, findings = bundle.read(bundles.CHANGES), bundle.read(bundles.FINDINGS)
    except NoApprovalError:
        return None  # made by a version that did not keep them
    return read_seen(bundle.digest, bundle.record.made, approved(workspace.deployment, bundle).people, lines, findings)


def _with_since(review: Review, seen: Seen | None, lines: list[list[str]]) -> Review:
    """The review with what it adds to, and takes from, the plan ``seen``."""
    if seen is None:
        return review
    return replace(review, since=since(seen, lines, findings(review)))


def _earlier(run: StackRun) -> Bundle | None:
    try:
        return bundles.newest(run.folder)
    except HawserError:
        return None


def _same_change(earlier: Record, now: Record) -> bool:
    """Same changes, same findings, same everything but the plan file's bytes."""
    return (
        earlier.fingerprint == now.fingerprint
        and earlier.findings_sha256 == now.findings_sha256
        and replace(earlier.compared, plan_sha256="") == replace(now.compared, plan_sha256="")
    )


def approvals_needed(workspace: Workspace, decision: Decision) -> int:
    """How many people must approve: what the environment asks for, and at least one when the gate does."""
    asked = workspace.deployment.environment.guardrails.approvals
    return max(asked, 1) if decision is Decision.NEEDS_APPROVAL else asked


def _key(workspace: Workspace) -> bytes:
    """The secret key of this environment's fingerprints, made once."""
    file = workspace.folder / "fingerprint.key"
    if not file.is_file():
        write_atomically(file, secrets.token_bytes(32), 0o600)
    return file.read_bytes()


def _commit(root: Path) -> str:
    git = shutil.which("git")
    if git is None:
        return ""
    answer = subprocess.run([git, "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True, check=False)
    return answer.stdout.strip() if answer.returncode == 0 else ""


def _noise(workspace: Workspace) -> tuple[NoiseEntry, ...]:
    return load_noise() if workspace.deployment.environment.emulator else ()


# -- stacks that the environment does not name -------------------------------------------------------------------


def _live_others(workspace: Workspace, wanted: tuple[str, ...]) -> tuple[Finding, ...]:
    """A finding for each stack that the environment does not name and that still holds resources."""
    if workspace.emulate or wanted == (PLATFORM,):
        return ()  # --emulate begins with an empty world
    live = []
    for name in workspace.others():
        run = workspace.run(name)
        run.ensure_init()
        if count := run.identity().resources:
            live.append(_live_stack(workspace, name, count))
    return tuple(live)


def _live_stack(workspace: Workspace, name: str, count: int) -> Finding:
    env, target = workspace.env, workspace.deployment.environment.target
    field, named, back = "target", f"the target of {env} is {target}", f"set target back to {name}"
    if name == PLATFORM:
        field, named, back = "platform", f"{env} stands on an existing platform", "describe it in env.yaml again"
    return Finding(
        rule_id=LIVE_STACK.id,
        verdict=RuleVerdict.FAIL,
        level=LIVE_STACK.level,
        severity=LIVE_STACK.severity,
        address="",
        path="",
        message=f"The stack {name} still holds {count} resources, and {named}.",
        fix=f"Destroy it with `hawser destroy {env} --stack {name}`, or {back}.",
        title=LIVE_STACK.title,
        field=field,
    )
