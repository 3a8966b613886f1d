"""The gate, joined: our rules, checkov, waivers, emulator noise, decision. The same for every plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from hawser.cli.talk import Talk
from hawser.contract.deployment import Deployment
from hawser.contract.waivers import Waivers
from hawser.decision import break_glass, waivers
from hawser.decision.decide import Decision, decide
from hawser.emulator.noise import NoiseEntry
from hawser.errors import CannotJudgeError, HawserError
from hawser.policy import checkov, engine
from hawser.policy.findings import Finding, Judgement, Level
from hawser.policy.fixtures import prove
from hawser.policy.known import ADJUSTABLE, known_rules
from hawser.policy.registry import all_rules
from hawser.policy.trace import Stacks, Trace
from hawser.report.redact import Redactor
from hawser.terraform.plan import Plan
from hawser.terraform.runner import INTERRUPTS
from hawser.toolchain.python_env import ensure_venv

#: Seconds between two looks whether somebody interrupted.
_LOOK_SECONDS = 0.2

_NO_WAIVERS = Waivers()

_ADJUSTABLE = frozenset(meta.id for meta in ADJUSTABLE)


@dataclass(frozen=True)
class Verdict:
    """The gate's answer: judgement, decision, and what was checked in words."""

    judgement: Judgement
    decision: Decision
    checked: tuple[str, ...]


class Gate:
    """Warmed before terraform plans, so that checkov is there when the plan is; used for one run."""

    def __init__(self, root: Path, talk: Talk) -> None:
        """Set checkov up where it is missing, and prove a team's own rules.

        Raises ``CannotJudgeError`` when checkov cannot be had, or one of the rules is not what its fixtures say.
        """
        prove(all_rules())
        home = root / ".hawser"
        if not (home / "venv" / "checkov").is_dir():
            talk.step("setting up checkov's Python environment (once)")
        lock = root / "tooling" / "locks" / "checkov.txt"
        try:
            self._python = ensure_venv(home, "checkov", lock)
        except HawserError as error:
            raise CannotJudgeError(f"checkov is not there to judge with: {error.message}", fix=error.fix) from None
        self._version = checkov.pinned_version(lock)
        self._stacks = Stacks(root, home / "sources.json")
        self._started: checkov.CheckovWorker | None = None
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="checkov")

    def __enter__(self) -> Gate:
        """The gate, open."""
        return self

    def __exit__(self, *_: object) -> None:
        """End checkov's worker."""
        if self._started is not None:
            self._started.close()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def warm(self) -> checkov.CheckovWorker:
        """Start checkov's worker, once, when it is known that there will be something to judge.

        Raises ``CannotJudgeError`` when it cannot be started.
        """
        if self._started is None:
            self._started = checkov.CheckovWorker.start(self._python, self._version)
        return self._started

    def judge(
        self,
        plan: Plan,
        deployment: Deployment | None,
        *,
        stack: str = "",
        exceptions: Waivers = _NO_WAIVERS,
        noise: Sequence[NoiseEntry] = (),
        extra: Sequence[Finding] = (),
    ) -> Verdict:
        """Judge one plan.

        ``stack`` is the one that it was made of, from the sources as they are now; then values are traced through them.
        ``""`` is a plan from anywhere. ``extra`` are findings that no plan rule can see (a live stack of another
        target).

        Raises ``CannotJudgeError`` when checkov did not really run.
        """
        worker = self.warm()
        redacted = Redactor.of(plan.document).document(checkov.what_it_reads(plan.document))
        scan: Future[checkov.CheckovResult] = self._pool.submit(worker.judge, redacted, plan)
        levels = _levels(deployment)
        trace = Trace(plan, deployment, stack, self._stacks)
        ours = engine.judge(plan, deployment, levels, trace=trace)
        scanned = self._result(scan)
        of_checkov = [trace.traced(f).with_level(levels.get(f.rule_id, f.level)) for f in scanned.findings]
        found = (*_with_noise((*ours.findings, *map(trace.traced, extra)), plan, noise), *of_checkov)
        glass, now = exceptions.break_glass, datetime.now(UTC)
        known = known_to(exceptions)
        excepted = waivers.apply_waivers(found, exceptions.entries, known, now.date(), stack)
        excepted = tuple(
            f.with_level(levels.get(f.rule_id, f.level)) if f.rule_id in _ADJUSTABLE else f for f in excepted
        )
        findings = break_glass.apply_break_glass(excepted, glass, stack, known, now)
        broken = glass if break_glass.in_force(findings) else None
        judgement = replace(ours, findings=findings, notes=(*plan.notes, *ours.notes), broken_glass=broken)
        return Verdict(judgement, decide(findings), _checked(ours, scanned))

    def _result(self, scan: Future[checkov.CheckovResult]) -> checkov.CheckovResult:
        """Checkov's answer; a person who interrupts does not wait for it."""
        while True:
            try:
                return scan.result(timeout=_LOOK_SECONDS)
            except TimeoutError:
                if INTERRUPTS.seen:
                    self.warm().close()
                INTERRUPTS.check()


def known_to(exceptions: Waivers) -> frozenset[str]:
    """Ids that these exceptions may name."""
    glass = exceptions.break_glass
    named = [*(waiver.rule for waiver in exceptions.entries), *(glass.rules if glass else ())]
    return known_rules(named)


def _levels(deployment: Deployment | None) -> Mapping[str, Level]:
    if deployment is None:
        return {}
    return {rule: Level(level) for rule, level in deployment.environment.guardrails.levels.items()}


def _with_noise(findings: Sequence[Finding], plan: Plan, noise: Sequence[NoiseEntry]) -> list[Finding]:
    """Name the emulator shortcoming behind each finding whose change is wholly explained by one."""
    if not noise:
        return list(findings)
    explained: dict[str, str] = {}
    for change in plan.changes:
        if change.changes and change.before.raw() is not None:
            for entry in noise:
                if entry.matches(change.type, change.actions, change.changed_paths()):
                    explained[change.address] = entry.why
                    break
    return [replace(f, noise=explained[f.address]) if f.address in explained else f for f in findings]


def _checked(ours: Judgement, scanned: checkov.CheckovResult) -> tuple[str, ...]:
    total = len(all_rules())
    looked = total - len(ours.idle)
    return (
        f"hawser: {total} rules, {looked} had something to look at",
        f"checkov {scanned.version}: {scanned.passed} passed, {scanned.failed} failed, {len(scanned.off)} checks off",
    )
