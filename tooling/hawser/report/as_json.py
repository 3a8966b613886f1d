"""The review for machines: ``hawser.review/1``, described by ``docs/report.schema.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hawser.contract.waivers import BreakGlass
from hawser.decision.record import stamp
from hawser.policy.dependents import Dependents
from hawser.policy.exposure import Exposure
from hawser.policy.findings import Finding
from hawser.policy.privileges import Privilege
from hawser.policy.roles import Role
from hawser.report.content import failed_checks
from hawser.report.redact import Redactor
from hawser.report.review import Review
from hawser.report.schema import VERSION
from hawser.report.since import since_document, told
from hawser.terraform.drift import drifted
from hawser.terraform.plan import Action, Change


def as_json(review: Review, redactor: Redactor) -> str:
    """The review as indented JSON in ASCII: control and direction characters in it are escapes."""
    return json.dumps(document(review, redactor), indent=2, ensure_ascii=True) + "\n"


def document(review: Review, redactor: Redactor) -> dict[str, Any]:
    """The review as a JSON document without secrets: each text is redacted on its own, and the whole once more."""
    scanned: dict[str, Any] = _scanned(_document(review, redactor), redactor)
    return scanned


def _document(review: Review, redactor: Redactor) -> dict[str, Any]:
    text, judgement, plan = redactor.text, review.judgement, review.plan
    managed = sorted((c for c in plan.changes if c.mode == "managed"), key=lambda c: (c.address, c.deposed or ""))
    dependents = Dependents(plan)
    return {
        "schema": VERSION,
        "environment": text(review.environment),
        "account_id": text(review.account_id),
        "region": text(review.region),
        "target": text(review.target),
        "stack": text(review.stack),
        "decision": review.decision.value,
        "exit_code": int(review.decision.exit_code),
        "asks": text(review.asks),
        "digest": review.digest,
        "contract_digest": review.contract_digest,
        "state_serial": text(review.state_serial),
        "good_until": text(review.good_until),
        "speculative": review.speculative,
        "emulated": review.emulated,
        "destroy": review.destroy or plan.is_destroy,
        "terraform_version": text(plan.terraform_version),
        "counts": plan.counts(),
        "findings": [_finding(f, redactor) for f in sorted(judgement.findings, key=Finding.sort_key)],
        "capacity": [
            {
                "pool": text(pool.pool),
                "address": text(pool.address),
                "instance_type": text(pool.instance_type),
                "before": pool.before,
                "during": pool.during,
                "after": pool.after,
                "note": text(pool.note),
            }
            for pool in judgement.capacity
        ],
        "changes": [
            _change(change, judgement.causes, redactor, dependents)
            for change in managed
            if change.changes or change.importing or change.previous_address
        ],
        "outputs": [
            {"name": text(output.name), "action": output.action.value}
            for output in plan.outputs
            if output.action is not Action.NO_OP
        ],
        "privileges": [_privilege(one, redactor) for one in judgement.privileges],
        "exposure": [_exposure(one, redactor) for one in judgement.exposure],
        "roles": [_role(role, redactor) for role in judgement.roles],
        "drift": [text(address) for address in drifted(plan.document)],
        "failed_checks": [
            {"check": text(name), "message": text(words)} for name, words in failed_checks(plan.document)
        ],
        "overrides": [
            {"field": text(name), "contract": _value(name, contract, redactor), "here": _value(name, here, redactor)}
            for name, (contract, here) in sorted(review.overrides.items())
        ],
        "passed": dict(sorted(judgement.passed.items())),
        "idle": sorted(judgement.idle),
        "notes": [text(note) for note in dict.fromkeys((*plan.notes, *judgement.notes))],
        "since": since_document(told(review.since, text)),
        "broken_glass": _glass(judgement.broken_glass, redactor),
        "lowered": [text(one) for one in judgement.lowered],
        "checked": [text(line) for line in review.checked],
        "next_commands": [text(command) for command in review.next_commands],
    }


def _scanned(node: Any, redactor: Redactor) -> Any:
    """The last scan, value by value: keys are ours."""
    if isinstance(node, dict):
        return {key: _scanned(value, redactor) for key, value in node.items()}
    if isinstance(node, list):
        return [_scanned(value, redactor) for value in node]
    return redactor.last_scan(node) if isinstance(node, str) else node


def _glass(glass: BreakGlass | None, redactor: Redactor) -> dict[str, Any] | None:
    if glass is None:
        return None
    return {
        "by": redactor.text(glass.by),
        "reason": redactor.text(glass.reason),
        "rules": list(glass.rules),
        "until": stamp(glass.until),
    }


def _finding(finding: Finding, redactor: Redactor) -> dict[str, Any]:
    text, waiver = redactor.text, finding.waiver
    return {
        "rule_id": finding.rule_id,
        "verdict": finding.verdict.value,
        "level": finding.level.value,
        "severity": finding.severity.value,
        "address": text(finding.address),
        "path": text(finding.path),
        "message": text(finding.message),
        "fix": text(finding.fix),
        "title": text(finding.title),
        "source": finding.source,
        "before": None if finding.before is None else text(finding.before),
        "after": None if finding.after is None else text(finding.after),
        "origin": text(finding.origin),
        "contract_lines": [text(line) for line in finding.lines],
        "code_line": text(finding.code),
        "changed": finding.changed,
        "decides": finding.decides,
        "noise": None if finding.noise is None else text(finding.noise),
        "waiver": None
        if waiver is None
        else {"owner": text(waiver.owner), "reason": text(waiver.reason), "days_left": waiver.days_left},
    }


def _change(
    change: Change,
    causes: Mapping[tuple[str, str], tuple[str, ...]],
    redactor: Redactor,
    dependents: Dependents,
) -> dict[str, Any]:
    def paths(found: tuple[str, ...]) -> list[str]:
        return list(dict.fromkeys(redactor.path(path, change.before, change.after) for path in found))

    return {
        "address": redactor.text(change.address),
        "module": redactor.text(change.module_address),
        "type": redactor.text(change.type),
        "action": change.action.value,
        "create_first": change.action is Action.REPLACE and change.actions[0] == "create",
        "reason": change.reason,
        "replace_paths": paths(change.replace_paths),
        "changed_paths": paths(change.changed_paths()),
        "causes": [
            {
                "path": redactor.path(path, change.before, change.after),
                "contract_lines": [redactor.text(line) for line in causes[change.address, path]],
            }
            for path in change.changed_paths()
            if (change.address, path) in causes
        ],
        "previous_address": None if change.previous_address is None else redactor.text(change.previous_address),
        "importing": change.importing,
        "deposed": change.deposed,
        "used_by": [redactor.text(user) for user in dependents.of(change)]
        if change.goes_away and change.deposed is None
        else [],
    }


def _privilege(one: Privilege, redactor: Redactor) -> dict[str, Any]:
    return {
        "direction": one.direction.value,
        "cause": one.cause.value,
        "holder": redactor.text(one.holder),
        "address": redactor.text(one.address),
        "path": redactor.text(one.path),
        "what": redactor.text(one.what),
        "alarms": list(one.alarms),
        "new": one.new,
        "drift": one.drift,
    }


def _exposure(one: Exposure, redactor: Redactor) -> dict[str, Any]:
    return {
        "direction": one.direction.value,
        "address": redactor.text(one.address),
        "path": redactor.text(one.path),
        "what": redactor.text(one.what),
        "internet": one.internet,
        "new": one.new,
        "drift": one.drift,
    }


def _role(role: Role, redactor: Redactor) -> dict[str, Any]:
    def each(texts: tuple[str, ...]) -> list[str]:
        return [redactor.text(text) for text in texts]

    return {
        "address": redactor.text(role.address),
        "name": redactor.text(role.name),
        "action": role.action,
        "changed": role.changed,
        "trusted": each(role.trusted),
        "allowed": each(role.allowed),
        "denied": each(role.denied),
        "managed": each(role.managed),
        "boundary": redactor.text(role.boundary),
        "unseen": each(role.unseen),
    }


def _value(name: str, value: object, redactor: Redactor) -> Any:
    value = redactor.value(name.rsplit(".", 1)[-1], value)
    return redactor.text(value) if isinstance(value, str) else value
