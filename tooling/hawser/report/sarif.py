"""The review as SARIF 2.1.0, for code scanning: one run, a place in this repository for each result, worst first.

What GitHub asks of such files: docs.github.com, "SARIF support for code scanning" and "SARIF results exceed one or more
limits" (2026-11-30).
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final
from urllib.parse import quote

from hawser import __version__
from hawser.policy.findings import Finding, Level, Severity, Verdict
from hawser.policy.known import OTHERS
from hawser.policy.registry import RuleMeta, all_rules
from hawser.report.redact import Redactor
from hawser.report.review import Review
from hawser.report.visible import visible

#: Results that GitHub keeps of a run; which ones it drops beyond that is not documented, so we choose.
MOST_RESULTS: Final = 5_000
#: The schema that editors and readers find the format by.
SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT: Final = "%SRCROOT%"
#: GitHub shows critical from 9.0, high from 7.0, medium from 4.0, low below.
_SECURITY: Final[Mapping[Severity, str]] = {
    Severity.CRITICAL: "9.5",
    Severity.HIGH: "8.0",
    Severity.MEDIUM: "5.5",
    Severity.LOW: "2.0",
}
_LEVELS: Final[Mapping[Level, str]] = {Level.BLOCK: "error", Level.APPROVAL: "warning", Level.ADVISORY: "note"}
_PLACE: Final = re.compile(r"([A-Za-z0-9][\w./-]*):([1-9]\d*)")


def sarif(review: Review, redactor: Redactor) -> str:
    """The findings of the review as a SARIF log in ASCII.

    A result lies at the contract line that causes it, else at its line of Terraform code, else at the file that was
    judged: the environment, or a plan from elsewhere. Its fingerprint is made of rule, address and attribute path, so
    it stays the same when lines move.
    """
    findings = sorted(review.judgement.findings, key=Finding.sort_key)
    kept = findings[:MOST_RESULTS]
    rules = {finding.rule_id: finding for finding in reversed(kept)}
    names = sorted(rules)
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "hawser",
                "semanticVersion": __version__,
                "rules": [_rule(rules[name], redactor) for name in names],
            }
        },
        "automationDetails": {"id": f"hawser/{_id(review.environment)}/{_id(review.stack)}/"},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "invocations": [_invocation(review, len(findings), redactor)],
        "results": [_result(finding, review, names.index(finding.rule_id), redactor) for finding in kept],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(_scanned(log, redactor), indent=2, ensure_ascii=True) + "\n"


def _id(part: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]", "-", part) or "plan"


def _scanned(node: Any, redactor: Redactor) -> Any:
    if isinstance(node, dict):
        return {key: _scanned(value, redactor) for key, value in node.items()}
    if isinstance(node, list):
        return [_scanned(value, redactor) for value in node]
    return redactor.last_scan(node) if isinstance(node, str) else node


def _invocation(review: Review, found: int, redactor: Redactor) -> dict[str, Any]:
    said = visible(f"{redactor.text(review.stack)}: {review.decision.value}. {redactor.text(review.asks)}")
    notes = [{"level": "note", "message": {"text": said}}]
    if found > MOST_RESULTS:
        cut = f"Only the worst {MOST_RESULTS} of {found} results are in this file; report.json has them all."
        notes.insert(0, {"level": "warning", "message": {"text": cut}})
    errors = any(finding.verdict is Verdict.ERROR for finding in review.judgement.findings)
    return {"executionSuccessful": not errors, "toolExecutionNotifications": notes}


def _rule(finding: Finding, redactor: Redactor) -> dict[str, Any]:
    """What is known under the id of a finding, with all that it says; of any other what the finding says of it."""
    known = _known().get(finding.rule_id)
    title = known.title if known else redactor.text(finding.title or finding.message)
    why = known.why if known else title
    fix = known.fix if known else redactor.text(finding.fix)
    severity = known.severity if known else finding.severity
    said: dict[str, Any] = {
        "id": finding.rule_id,
        "shortDescription": {"text": visible(title)},
        "fullDescription": {"text": visible(why)},
        "help": {"text": visible(f"{why} Fix: {fix}" if fix else why)},
        "defaultConfiguration": {"level": _LEVELS[known.level if known else finding.level]},
        "properties": {
            "security-severity": _SECURITY[severity],
            "tags": ["security", known.area if known else finding.source],
        },
    }
    if known and known.references:
        said["helpUri"] = known.references[0]
    return said


@cache
def _known() -> Mapping[str, RuleMeta]:
    return {meta.id: meta for meta in (*(rule.meta for rule in all_rules()), *OTHERS)}


def _result(finding: Finding, review: Review, rule_index: int, redactor: Redactor) -> dict[str, Any]:
    text = redactor.text
    message = [text(finding.message)]
    if finding.verdict is Verdict.FAIL and (finding.before is not None or finding.after is not None):
        message.append(f"{text(finding.before or '(none)')} -> {text(finding.after or '(none)')}.")
    message.append(f"From: {text(finding.origin)}." if finding.origin else "")
    result: dict[str, Any] = {
        "ruleId": finding.rule_id,
        "ruleIndex": rule_index,
        "kind": "review" if finding.verdict is Verdict.UNDECIDABLE else "fail",
        # A kind that is not "fail" has the level "none" (SARIF 2.1.0, 3.27.10); GitHub shows it as a note.
        "level": "none" if finding.verdict is Verdict.UNDECIDABLE else _level(finding),
        "message": {"text": visible(" ".join(part for part in message if part))},
        "locations": [_location(finding, review, redactor)],
        "partialFingerprints": {
            "primaryLocationLineHash": _fingerprint(review, finding),
            "hawserFinding/v1": _fingerprint(review, finding),
        },
        "properties": {
            "verdict": finding.verdict.value,
            "level": finding.level.value,
            "decides": finding.decides,
            "changed": finding.changed,
        },
    }
    if suppressions := _suppressions(finding, redactor):
        result["suppressions"] = suppressions
    return result


def _level(finding: Finding) -> str:
    if finding.verdict is Verdict.ERROR:
        return "error"
    return _LEVELS[finding.level] if finding.changed else "note"


def _location(finding: Finding, review: Review, redactor: Redactor) -> dict[str, Any]:
    """A place in the repository, always: code scanning refuses a whole file for one result without."""
    file, line, kind = _place(finding, review)
    address = visible(redactor.text(finding.address)) or "the plan as a whole"
    path = visible(redactor.text(finding.path))
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": quote(redactor.text(file), errors="surrogatepass"), "uriBaseId": _ROOT},
            "region": {"startLine": line},
        },
        "logicalLocations": [
            {"fullyQualifiedName": f"{address} {path}".rstrip(), "kind": "resource" if finding.address else "module"}
        ],
        "properties": {"place": kind},
    }


def _place(finding: Finding, review: Review) -> tuple[str, int, str]:
    """File, line, and what they are; where no line is known the file that was judged, as a whole."""
    places = (("contract", "".join(finding.lines[:1])), ("code", finding.code), ("contract", finding.origin))
    for kind, place in places:
        if found := _PLACE.fullmatch(place):
            return found[1], int(found[2]), kind
    if review.environment:
        return f"environments/{review.environment}/env.yaml", 1, "environment"
    return posixpath.basename(review.stack) or "plan", 1, "plan file"


def _fingerprint(review: Review, finding: Finding) -> str:
    """Of what a finding is about, not of where or how it is said."""
    parts = (review.environment, review.stack, finding.rule_id, finding.address, finding.path)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _suppressions(finding: Finding, redactor: Redactor) -> Iterable[dict[str, Any]]:
    if finding.waiver is not None:
        waiver = finding.waiver
        why = f"{redactor.text(waiver.reason)} (owner {redactor.text(waiver.owner)}, {waiver.days_left} days left)"
        return [{"kind": "external", "status": "accepted", "justification": visible(why)}]
    if finding.noise is not None:
        why = f"emulator noise: {redactor.text(finding.noise)}"
        return [{"kind": "external", "status": "accepted", "justification": visible(why)}]
    return []
