"""The review as JUnit XML, which every CI shows: a suite per area, in it a case per finding and per rule without any.

What denies or needs approval is a failure, what could not be judged an error, what is waived, unknown before apply or
without a say is skipped. A rule that found all in order passes; one that had nothing to look at is left out.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from typing import Final

from hawser.policy.findings import Finding, Level, Verdict
from hawser.policy.registry import all_rules
from hawser.report.phrases import waiver_line
from hawser.report.redact import Redactor
from hawser.report.review import Review
from hawser.report.visible import visible

_ERROR: Final = "error"
_FAILURE: Final = "failure"
_SKIPPED: Final = "skipped"


def junit(review: Review, redactor: Redactor) -> str:
    """The review as an XML document (UTF-8 declared, ASCII in fact, so that nothing in it depends on an encoding)."""
    areas = {rule.meta.id: rule.meta.area for rule in all_rules()}
    cases: dict[str, list[ET.Element]] = {}
    for finding in sorted(review.judgement.findings, key=Finding.sort_key):
        area = areas.get(finding.rule_id, finding.source)
        cases.setdefault(area, []).append(_case(finding, area, redactor))
    for rule_id, area in _passed(review, areas):
        cases.setdefault(area, []).append(ET.Element("testcase", classname=f"hawser.{area}", name=rule_id))
    name = _said("/".join(part for part in (review.environment, review.stack) if part), redactor)
    every = [case for area in cases.values() for case in area]
    root = ET.Element("testsuites", {"name": f"hawser {name}"} | _counts(every))
    for area in sorted(cases):
        suite = ET.SubElement(root, "testsuite", {"name": f"{name} {area}"} | _counts(cases[area]))
        suite.extend(cases[area])
    ET.indent(root)
    text = ET.tostring(root, encoding="us-ascii", xml_declaration=False).decode("ascii")
    # `##[command]` anywhere and `::command::` in front are executed by the runner that shows a log.
    text = re.sub(r"(?m)^(\s*):(?=:)", r"\1&#58;", text.replace("##", "#&#35;"))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _passed(review: Review, areas: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Rules that looked at something and found nothing."""
    found = {finding.rule_id for finding in review.judgement.findings}
    for rule_id, number in sorted(review.judgement.passed.items()):
        if number and rule_id not in found:
            yield rule_id, areas.get(rule_id, "hawser")


def _case(finding: Finding, area: str, redactor: Redactor) -> ET.Element:
    where = " ".join(part for part in (finding.address or "the plan as a whole", finding.path) if part)
    case = ET.Element("testcase", classname=f"hawser.{area}", name=_said(f"{finding.rule_id} {where}", redactor))
    if place := next((line for line in (*finding.lines, finding.code) if line), ""):
        file, _, line = place.rpartition(":")
        case.set("file", _said(file, redactor))
        case.set("line", line)
    kind, why = _outcome(finding)
    if not kind:
        return case
    answer = ET.SubElement(case, kind, message=_said(why or finding.message, redactor))
    if kind != _SKIPPED:
        answer.set("type", f"{finding.level.value}/{finding.severity.value}")
        answer.text = "\n".join(_said(line, redactor) for line in _lines(finding))
    return case


def _outcome(finding: Finding) -> tuple[str, str]:
    """The element of the case, and its words where these are not the finding's own."""
    if finding.verdict is Verdict.ERROR:
        return _ERROR, ""
    if finding.waiver is not None:
        return _SKIPPED, f"waived ({waiver_line(finding)}; {finding.waiver.reason}): {finding.message}"
    if finding.noise is not None:
        return _SKIPPED, f"emulator noise ({finding.noise}): {finding.message}"
    if not finding.changed:
        return _SKIPPED, f"not touched by this plan: {finding.message}"
    if finding.verdict is Verdict.UNDECIDABLE:
        return _SKIPPED, f"unknown before apply: {finding.message}"
    if finding.level is Level.ADVISORY:
        return _SKIPPED, f"advisory: {finding.message}"
    return _FAILURE, ""


def _lines(finding: Finding) -> Iterator[str]:
    yield finding.message
    if finding.before is not None or finding.after is not None:
        yield f"{finding.before or '(none)'} -> {finding.after or '(none)'}"
    if finding.fix:
        yield f"fix: {finding.fix}"
    if finding.origin:
        yield f"from: {finding.origin}"


def _said(text: str, redactor: Redactor) -> str:
    """The text without secrets; characters that XML 1.0 does not know are written out by ``visible``."""
    return redactor.last_scan(visible(redactor.text(text)))


def _counts(cases: list[ET.Element]) -> dict[str, str]:
    """The totals that readers expect on suites; no time is taken."""
    number = {kind: sum(1 for case in cases if case.find(kind) is not None) for kind in (_FAILURE, _ERROR, _SKIPPED)}
    return {
        "tests": str(len(cases)),
        "failures": str(number[_FAILURE]),
        "errors": str(number[_ERROR]),
        "skipped": str(number[_SKIPPED]),
        "time": "0",
    }
