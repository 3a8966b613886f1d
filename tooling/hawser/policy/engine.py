"""Runs every rule over a plan in one pass and says what was found, what passed and what looked at nothing."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property, partial
from typing import Final, TypeVar

from hawser.contract.deployment import Deployment
from hawser.policy.checkov import load_policy
from hawser.policy.contradictions import contradictions
from hawser.policy.custom import raised_at
from hawser.policy.exposure import exposures
from hawser.policy.findings import Finding, Judgement, Level, Verdict
from hawser.policy.known import ADJUSTABLE, BAD_LEVEL, CONTRADICTION, NO_ACCESS, NO_CAPACITY, known_rules
from hawser.policy.registry import Context, Hit, Rule, RuleMeta, all_rules
from hawser.policy.roles import roles
from hawser.policy.shown import at_path
from hawser.policy.trace import Trace
from hawser.policy.unknown import places_of, where_to_look
from hawser.terraform.plan import Action, Change, Plan
from hawser.terraform.values import UndecidableError

T = TypeVar("T")

#: The rule that speaks for all deletes of a plan that destroys everything; its level is ``guardrails.destroy``.
DESTROY_ALL: Final = "HW-DEL-001"


def judge(
    plan: Plan,
    deployment: Deployment | None,
    levels: Mapping[str, Level],
    *,
    trace: Trace | None = None,
) -> Judgement:
    """All findings of our rules on ``plan``, in the one order of findings.

    ``levels`` overrides the level of a rule by id; ids in it must be those of ``known_rules`` and no checks of checkov
    that are off, else there is a finding of verdict error: a mistyped id must not pass silently.
    A rule that raises is a finding of verdict error and never stops the others. ``trace`` says where they come from;
    without one only what a rule itself knows of it is said.
    """
    return _Run(plan, deployment, levels, trace or Trace(plan, deployment)).judgement()


class _Run:
    """One judgement. Rules are dispatched by resource type, so a rule costs nothing where it has nothing to say."""

    def __init__(self, plan: Plan, deployment: Deployment | None, levels: Mapping[str, Level], trace: Trace) -> None:
        self._context = Context(plan, deployment)
        self._deployment = deployment
        self._levels = levels
        self._trace = trace
        self._findings: list[Finding] = []
        self._passed: Counter[str] = Counter()
        self._looked: set[str] = set()

    def judgement(self) -> Judgement:
        plan = self._context.plan
        for change in plan.changes:
            acts, planned = change.changes or change.action is Action.READ, change.planned
            for rule in _rules_for(f"data.{change.type}" if change.mode == "data" else change.type):
                looks_at = rule.meta.looks_at
                if acts if looks_at == "change" else planned or looks_at != "planned state":
                    self._on_change(rule, change, acts)
        for rule in all_rules():
            if rule.on_plan is not None:
                self._on_plan(rule)
        self._findings.extend(self._bad_levels())
        self._findings.extend(self._contradictions())
        context = self._context
        capacity = self._read(NO_CAPACITY, "The accelerators of the plan", lambda: context.capacity)
        privileges = self._read(NO_ACCESS, "Who can do more", lambda: context.privileges)
        exposure = self._read(NO_ACCESS, "What becomes reachable", lambda: exposures(context))
        held = self._read(NO_ACCESS, "What the roles may do", lambda: roles(context))
        return Judgement(
            findings=tuple(sorted(map(self._trace.traced, self._findings), key=Finding.sort_key)),
            capacity=capacity,
            passed={rule_id: self._passed[rule_id] for rule_id in sorted(self._passed)},
            idle=tuple(rule.meta.id for rule in all_rules() if rule.meta.id not in self._looked),
            lowered=tuple(self._lowered()),
            causes=self._trace.updates(),
            privileges=privileges,
            exposure=exposure,
            roles=held,
        )

    def _on_change(self, rule: Rule, change: Change, changed: bool) -> None:
        assert rule.on_change is not None
        before = len(self._findings)
        self._looked.add(rule.meta.id)
        self._collect(rule, partial(rule.on_change, change, self._context), change, changed)
        if len(self._findings) == before:
            self._passed[rule.meta.id] += 1

    def _on_plan(self, rule: Rule) -> None:
        assert rule.on_plan is not None
        types = rule.meta.resource_types
        seen = {change.address for type_ in types for change in self._context.plan.by_type.get(type_, ())}
        if types and not seen:
            return
        before = len(self._findings)
        self._looked.add(rule.meta.id)
        self._collect(rule, partial(rule.on_plan, self._context), None, True)
        failed = {finding.address for finding in self._findings[before:]}
        passed = len(seen - failed) if types else int(not failed)
        if passed and "" not in failed:
            self._passed[rule.meta.id] += passed

    def _collect(self, rule: Rule, function: Callable[[], Iterator[Hit]], change: Change | None, changed: bool) -> None:
        address, deposed = (change.address, change.deposed) if change else ("", None)
        try:
            for hit in function():
                finding = self._failed(rule.meta, hit, address, changed)
                self._findings.append(replace(finding, deposed=deposed) if deposed else finding)
        except UndecidableError as error:
            self._findings.extend(self._undecided(rule.meta, error, address, changed))
        except (Exception, SystemExit) as error:  # an exit() left in a rule would end the gate with 0
            self._findings.append(self._raised(rule, error, address, changed))

    # -- findings -----------------------------------------------------------------------------------------------

    def _failed(self, meta: RuleMeta, hit: Hit, address: str, changed: bool) -> Finding:
        place = hit.address or address
        secret = self._is_sensitive(place, hit.path)
        return Finding(
            rule_id=meta.id,
            verdict=Verdict.FAIL,
            level=self._level(meta),
            severity=meta.severity,
            address=place,
            path=hit.path,
            message=f"{hit.path} is not in order; its value is sensitive and not shown." if secret else hit.message,
            fix=meta.fix,
            title=meta.title,
            before=None if secret else hit.before,
            after=None if secret else hit.after,
            field=hit.contract_path,
            changed=hit.changed if hit.changed is not None else changed if address else self._changed(place),
        )

    def _undecided(self, meta: RuleMeta, error: UndecidableError, address: str, changed: bool) -> Iterator[Finding]:
        for own, path, reason in places_of(error):
            place = own or address
            what = f"{path or 'the value'} {reason or 'is known only after apply'}"
            yield Finding(
                rule_id=meta.id,
                verdict=Verdict.UNDECIDABLE,
                level=self._level(meta),
                severity=meta.severity,
                address=place,
                path=path,
                message=f"Cannot be judged now: {what}. {where_to_look(self._type_of(place), place)}",
                fix=meta.fix,
                title=meta.title,
                changed=changed if address else self._changed(place),
            )

    def _raised(self, rule: Rule, error: BaseException, address: str, changed: bool) -> Finding:
        meta, at = rule.meta, f" at {raised_at(error, rule)}" if rule.place else ""
        return Finding(
            rule_id=meta.id,
            verdict=Verdict.ERROR,
            level=self._level(meta),
            severity=meta.severity,
            address=address,
            path="",
            message=f"The rule {meta.id} raised {type(error).__name__}{at}, so it has no verdict here.",
            fix="Correct the rule."
            if rule.place
            else "Report the fault with the resource type and the shape of its values (not the values).",
            title=meta.title,
            changed=changed,
        )

    def _read(self, meta: RuleMeta, what: str, function: Callable[[], tuple[T, ...]]) -> tuple[T, ...]:
        """What a report needs besides findings; a reader that raises is an error, for its section would be empty."""
        try:
            return function()
        except Exception as error:
            message = f"{what} cannot be told: reading the plan raised {type(error).__name__}."
            self._findings.append(_no_rule(meta, "", message))
            return ()

    def _contradictions(self) -> Iterator[Finding]:
        """Entries that terraform does not write: some reader of the plan could miss what is in them."""
        for address, what in contradictions(self._context.plan):
            message = f"The plan lists {address} {what}: terraform writes no such plan."
            yield _no_rule(CONTRADICTION, address, message)

    def _lowered(self) -> Iterator[str]:
        order = list(Level)
        listed = load_policy().listed
        for check in sorted(listed.keys() & self._levels.keys()):
            if order.index(self._levels[check]) < order.index(listed[check].level):
                place = self._trace.of_field(f"guardrails.levels.{check}").text
                yield f"{check} from {listed[check].level} to {self._levels[check]} ({place})"
        for meta in sorted((*(rule.meta for rule in all_rules()), *ADJUSTABLE), key=lambda one: one.id):
            here = self._level(meta)
            if order.index(here) < order.index(meta.level):
                field = f"guardrails.levels.{meta.id}" if meta.id in self._levels else "guardrails.destroy"
                yield f"{meta.id} from {meta.level} to {here} ({self._trace.of_field(field).text})"

    def _bad_levels(self) -> Iterator[Finding]:
        known = known_rules(self._levels)
        off = load_policy().off
        for rule_id in sorted(self._levels):
            if rule_id in off:
                what = "which checkov.yaml switches off everywhere."
            elif rule_id not in known:
                near = difflib.get_close_matches(rule_id, sorted(known), n=1)
                what = f"which does not exist{f'; is {near[0]} meant?' if near else '.'}"
            else:
                continue
            yield Finding(
                rule_id=BAD_LEVEL.id,
                verdict=Verdict.ERROR,
                level=BAD_LEVEL.level,
                severity=BAD_LEVEL.severity,
                address="",
                path=f"guardrails.levels.{rule_id}",
                message=f"guardrails.levels names the rule {rule_id}, {what}",
                fix=BAD_LEVEL.fix,
                title=BAD_LEVEL.title,
                field=f"guardrails.levels.{rule_id}",
            )

    # -- what a finding needs to know ---------------------------------------------------------------------------

    def _level(self, meta: RuleMeta) -> Level:
        if meta.id in self._levels:
            return Level(self._levels[meta.id])
        if meta.id == DESTROY_ALL and self._deployment is not None:
            return Level(self._deployment.environment.guardrails.destroy)
        return meta.level

    @cached_property
    def _by_address(self) -> Mapping[str, Change]:
        found: dict[str, Change] = {}
        for change in self._context.plan.changes:
            if change.deposed is None or change.address not in found:
                found[change.address] = change
        return found

    def _changed(self, address: str) -> bool:
        change = self._by_address.get(address)
        return change is None or change.changes or change.action is Action.READ

    def _is_sensitive(self, address: str, path: str) -> bool:
        """Whether Terraform marks what a hit is about: rules quote values, and these must not be quoted."""
        change = self._by_address.get(address)
        if change is None or not path:
            return False
        return any(at_path(side, path).is_sensitive for side in (change.before, change.after))

    def _type_of(self, address: str) -> str:
        change = self._by_address.get(address)
        return change.type if change else ""


@cache
def _rules_for(type_: str) -> tuple[Rule, ...]:
    """Rules that look at single changes of a type; data sources are named ``data.TYPE``."""
    return tuple(rule for rule in all_rules() if rule.on_change is not None and rule.meta.names(type_))


def _no_rule(meta: RuleMeta, address: str, message: str) -> Finding:
    return Finding(
        rule_id=meta.id,
        verdict=Verdict.ERROR,
        level=meta.level,
        severity=meta.severity,
        address=address,
        path="",
        message=message,
        fix=meta.fix,
        title=meta.title,
    )
