"""What a review says to a person, before any layout: every text here is redacted and free of control characters.

The terminal and the markdown report say the same things in the same order; they only lay them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hawser.decision import break_glass
from hawser.decision.decide import Decision
from hawser.decision.since import Since
from hawser.policy.findings import Finding, Level, PoolCapacity, Verdict
from hawser.policy.roles import Role
from hawser.report.access import Access, what_is_reachable, who_can_do_more
from hawser.report.change_reader import LONGEST_VALUE, ChangeReader, Created, Gone, Shift, Updated
from hawser.report.phrases import total
from hawser.report.redact import Redactor
from hawser.report.review import Review
from hawser.report.since import told
from hawser.terraform.drift import completed, drifted

DECISIONS: Final[Mapping[Decision, str]] = {
    Decision.ALLOW: "ALLOW",
    Decision.NEEDS_APPROVAL: "NEEDS APPROVAL",
    Decision.DENY: "DENY",
    Decision.CANNOT_JUDGE: "CANNOT JUDGE",
}
_COUNTS: Final = (
    ("delete", "to destroy"),
    ("replace", "to replace"),
    ("forget", "to forget"),
    ("update", "to update"),
    ("create", "to create"),
    ("import", "to import"),
    ("move", "moved"),
)


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of one rule: how many, and where."""

    rule_id: str
    title: str
    severity: str
    source: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Content:
    """A review in words. Lists are in the order in which they are to be read; empty ones have nothing to say."""

    decision: Decision
    verdict: str
    name: tuple[str, ...]
    place: tuple[str, ...]
    identity: tuple[str, ...]
    asks: str
    banners: tuple[str, ...]
    counts: str
    tally: str
    gpus: str
    errors: tuple[Finding, ...]
    blocking: tuple[Finding, ...]
    approving: tuple[Finding, ...]
    undecidable: tuple[Finding, ...]
    gone: tuple[Gone, ...]
    pools: tuple[PoolCapacity, ...]
    privileges: Access
    exposure: Access
    overrides: tuple[Shift, ...]
    created: tuple[Created, ...]
    updated: tuple[Updated, ...]
    outputs: tuple[Shift, ...]
    roles: tuple[Role, ...]
    moved: tuple[tuple[str, str], ...]
    imported: tuple[str, ...]
    advisory: tuple[Group, ...]
    unchanged: tuple[Group, ...]
    noise: tuple[Finding, ...]
    waived: tuple[Finding, ...]
    drift: tuple[str, ...]
    failed_checks: tuple[str, ...]
    notes: tuple[str, ...]
    checked: tuple[str, ...]
    next_commands: tuple[str, ...]
    since: Since | None


def content(review: Review, redactor: Redactor) -> Content:
    """What the review says, with nothing in it that must not be shown."""
    return Reader(review, redactor).content()


def _entries(node: Any) -> list[Mapping[str, Any]]:
    return [entry for entry in node if isinstance(entry, dict)] if isinstance(node, list) else []


def failed_checks(document: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Check blocks and conditions of the configuration that fail, or that nobody can tell yet: address and words."""
    found = []
    for check in _entries(document.get("checks")):
        status = check.get("status")
        if status not in ("fail", "error"):
            continue
        address = check.get("address")
        name = address.get("to_display") if isinstance(address, dict) else None
        problems = [
            str(problem["message"])
            for instance in _entries(check.get("instances"))
            for problem in _entries(instance.get("problems"))
            if problem.get("message")
        ]
        found.append((str(name or "check"), "; ".join(problems) or f"its status is {status}"))
    return sorted(found)


class Reader(ChangeReader):
    """Reads a review."""

    def content(self) -> Content:
        """The review in words."""
        review, judgement = self.review, self.review.judgement
        findings = [self.finding(f) for f in sorted(judgement.findings, key=_worst_first)]
        errors = tuple(f for f in findings if f.verdict is Verdict.ERROR)
        deciding = [f for f in findings if f.verdict is not Verdict.ERROR and f.decides]
        failing = [f for f in deciding if f.verdict is Verdict.FAIL]
        others = [f for f in findings if f.verdict is not Verdict.ERROR]
        blocking = tuple(f for f in failing if f.level is Level.BLOCK)
        approving = tuple(f for f in failing if f.level is Level.APPROVAL)
        advisory = [f for f in failing if f.level is Level.ADVISORY]
        undecidable = tuple(f for f in deciding if f.verdict is Verdict.UNDECIDABLE)
        waived = tuple(f for f in others if f.waiver is not None)
        noise = tuple(f for f in others if f.noise is not None and f.waiver is None)
        unchanged = [f for f in others if not f.changed and f.waiver is None and f.noise is None]
        tally = (
            (len(errors), "could not be judged"),
            (len(blocking), "blocking"),
            (len(approving), "to approve"),
            (len(undecidable), "unknown before apply"),
            (len(advisory), "advisory"),
            (len(waived), "waived"),
        )
        return Content(
            decision=review.decision,
            verdict=self.verdict(),
            name=tuple(self.text(part) for part in (review.environment, review.stack) if part),
            place=tuple(
                self.text(part)
                for part in (review.account_id, review.region, review.target)
                if part and part != review.stack
            ),
            identity=self.identity(),
            asks=self.text(review.asks),
            banners=self.banners(),
            counts=self.counts(),
            tally=", ".join(f"{number} {words}" for number, words in tally if number) or "no findings",
            gpus=self.gpus(),
            errors=errors,
            blocking=blocking,
            approving=approving,
            undecidable=undecidable,
            gone=self.gone,
            pools=tuple(self.pool(pool) for pool in judgement.capacity),
            privileges=who_can_do_more(judgement.privileges, self.text),
            exposure=what_is_reachable(judgement.exposure, self.text),
            overrides=tuple(
                Shift(self.text(name), self.plain(name, contract), self.plain(name, here))
                for name, (contract, here) in sorted(review.overrides.items())
            ),
            created=self.created(),
            updated=self.updated(),
            outputs=self.outputs,
            roles=tuple(self.role(role) for role in judgement.roles),
            moved=tuple(
                (self.text(c.previous_address), self.text(c.address)) for c in self.managed if c.previous_address
            ),
            imported=tuple(self.text(c.address) for c in self.managed if c.importing),
            advisory=groups(advisory),
            unchanged=groups(unchanged),
            noise=noise,
            waived=waived,
            drift=tuple(self.text(address) for address in drifted(review.plan.document)),
            failed_checks=tuple(
                f"{self.text(name)}: {self.text(words)}" for name, words in failed_checks(review.plan.document)
            ),
            notes=tuple(dict.fromkeys(self.text(note) for note in (*review.plan.notes, *judgement.notes))),
            checked=self.checked(),
            next_commands=tuple(self.text(command) for command in review.next_commands),
            since=told(review.since, self.text),
        )

    # -- top ------------------------------------------------------------------------------------------------------

    def identity(self) -> tuple[str, ...]:
        """What identifies the plan: digests, serial of the state, how long it is good."""
        review = self.review
        parts = (
            ("plan", review.digest[:12]),
            ("contract", review.contract_digest[:12]),
            ("state serial" if review.state_serial.isdigit() else "state:", review.state_serial),
            ("good until", review.good_until),
        )
        return tuple(f"{name} {self.text(value)}" for name, value in parts if value)

    def verdict(self) -> str:
        """The decision in words; of a plan that can only be read, what it would be."""
        decision = DECISIONS[self.review.decision]
        return f"READ ONLY, would be {decision}" if self.review.speculative or self.review.emulated else decision

    def banners(self) -> tuple[str, ...]:
        """What must be known before anything else is read."""
        review = self.review
        banners = []
        if glass := review.judgement.broken_glass:
            banners.append(f"BROKEN GLASS: {self.text(break_glass.sentence(glass))}")
        if review.speculative:
            banners.append(
                "SPECULATIVE: values of an earlier stack are not final; this plan can be read, not approved or applied."
            )
        if review.emulated:
            banners.append("EMULATED: planned against the embedded emulator; the real account was not looked at.")
        if review.destroy or review.plan.is_destroy:
            banners.append("DESTROY: this plan takes everything of the stack away.")
        if lowered := review.judgement.lowered:
            banners.append(f"LOWERED by this environment: {self.text('; '.join(lowered))}")
        return tuple(banners)

    def counts(self) -> str:
        """Numbers of objects by action."""
        counts = self.review.plan.counts()
        parts = [f"{counts[name]} {words}" for name, words in _COUNTS if counts.get(name)]
        changed = len(self.outputs)
        if changed:
            parts.append(f"{changed} output{'s' if changed > 1 else ''} changed")
        return ", ".join(parts) or "no changes: the infrastructure matches the configuration"

    def gpus(self) -> str:
        """One line when accelerators come or go."""
        pools = self.review.judgement.capacity
        if all(pool.before == pool.during == pool.after is not None for pool in pools):
            return ""
        before, during, after = ([getattr(pool, when) for pool in pools] for when in ("before", "during", "after"))
        return f"GPUs: {total(before)} before, {total(during)} during, {total(after)} after"

    def checked(self) -> tuple[str, ...]:
        """What was looked at and found empty is said, so that silence never looks like a result."""
        judgement = self.review.judgement
        lines = [self.text(line) for line in self.review.checked]
        empty = [
            name
            for name, items in (
                ("destroyed, replaced or forgotten", self.gone),
                ("drift reported by terraform", drifted(self.review.plan.document)),
                ("failing check blocks", failed_checks(self.review.plan.document)),
            )
            if not items
        ]
        if empty:
            lines.append(f"checked, none: {'; '.join(empty)}")
        if filled := completed(self.review.plan.document):
            lines.append(f"completed by the refresh, by resources of this plan or in what was empty: {filled} objects")
        if not judgement.capacity:
            lines.append("GPU capacity: this plan has no pools")
        if judgement.idle:
            lines.append(f"rules with nothing to look at: {len(judgement.idle)}")
        return tuple(lines)

    # -- findings -------------------------------------------------------------------------------------------------

    def finding(self, finding: Finding) -> Finding:
        """The same finding with every text fit to be shown."""
        waiver = finding.waiver
        if waiver is not None:
            waiver = type(waiver)(self.text(waiver.owner), self.text(waiver.reason), waiver.days_left)
        return Finding(
            rule_id=self.text(finding.rule_id),
            verdict=finding.verdict,
            level=finding.level,
            severity=finding.severity,
            address=self.text(finding.address),
            path=self.text(finding.path),
            message=self.text(finding.message),
            fix=self.text(finding.fix),
            title=self.text(finding.title),
            source=finding.source,
            before=None if finding.before is None else self.text(finding.before, LONGEST_VALUE * 2),
            after=None if finding.after is None else self.text(finding.after, LONGEST_VALUE * 2),
            origin=self.text(finding.origin),
            lines=tuple(self.text(line) for line in finding.lines),
            code=self.text(finding.code),
            changed=finding.changed,
            waiver=waiver,
            noise=None if finding.noise is None else self.text(finding.noise),
        )

    def pool(self, pool: PoolCapacity) -> PoolCapacity:
        """The same pool with every text fit to be shown."""
        return PoolCapacity(
            self.text(pool.pool),
            self.text(pool.address),
            self.text(pool.instance_type),
            pool.before,
            pool.during,
            pool.after,
            self.text(pool.note),
        )

    def role(self, role: Role) -> Role:
        """A role with every text fit to be shown; of a policy's ARN the name, once nothing secret is in it."""

        def each(texts: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(self.text(text) for text in texts)

        return Role(
            address=self.text(role.address),
            name=self.text(role.name),
            action=role.action,
            changed=role.changed,
            trusted=each(role.trusted),
            allowed=each(role.allowed),
            denied=each(role.denied),
            managed=tuple(text.rsplit("/", 1)[-1] for text in each(role.managed)),
            boundary=self.text(role.boundary).rsplit("/", 1)[-1],
            unseen=each(role.unseen),
        )


def groups(findings: Iterable[Finding]) -> tuple[Group, ...]:
    """Findings by rule, in their order; hawser's own before those of a library."""
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        found.setdefault(finding.rule_id, []).append(finding)
    ordered = sorted(found.values(), key=lambda same: same[0].source != "hawser")
    return tuple(
        Group(
            rule_id=same[0].rule_id,
            title=same[0].message if len({f.message for f in same}) == 1 else same[0].title or same[0].message,
            severity=same[0].severity.value,
            source=same[0].source,
            places=tuple(dict.fromkeys(" ".join(part for part in (f.address, f.path) if part) for f in same)),
        )
        for same in ordered
    )


def _worst_first(finding: Finding) -> tuple[object, ...]:
    """The order of findings; of equally bad ones hawser's own first: they say what changes, a library what is."""
    key = finding.sort_key()
    return (*key[:3], finding.source != "hawser", *key[3:])
