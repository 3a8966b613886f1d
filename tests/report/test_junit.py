"""JUnit XML, read back by a reader that knows what CI servers know."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import junitparser
from report_samples import CANARY, FINDINGS, GROUP, finding, sample_plan, sample_review

from hawser.policy.findings import Finding, Judgement, Level, Verdict, WaiverUse
from hawser.report import render

KINDS = {junitparser.Failure: "failure", junitparser.Error: "error", junitparser.Skipped: "skipped"}


def text(findings: tuple[Finding, ...], **changes: Any) -> str:
    return render(sample_review(sample_plan("mixed"), findings, **changes), "junit", width=80, colour=False)


def suites(findings: tuple[Finding, ...], **changes: Any) -> list[junitparser.TestSuite]:
    return list(junitparser.JUnitXml.fromstring(text(findings, **changes).encode()))


def cases(findings: tuple[Finding, ...], **changes: Any) -> dict[str, tuple[str, Any]]:
    """Each case by its name: how it ended, and its answer."""
    found = {}
    for suite in suites(findings, **changes):
        for case in suite:
            (answer,) = case.result or [None]
            found[case.name] = (KINDS.get(type(answer), "passed"), answer)
    return found


def test_each_outcome_is_what_ci_shows_for_it() -> None:
    waiver = WaiverUse("platform@example.com", "moves in January", 9)
    answers = cases(
        (
            finding("HW-NET-001", Level.BLOCK, "a.a", "Open.", path="x", fix="Close it.", origin="env.yaml:3"),
            finding("HW-NET-001", Level.APPROVAL, "a.b", "Open."),
            finding("HW-NET-001", Level.ADVISORY, "a.c", "Open."),
            finding("HW-NET-001", Level.BLOCK, "a.d", "Open.", verdict=Verdict.UNDECIDABLE),
            finding("HW-NET-001", Level.ADVISORY, "a.e", "Raised.", verdict=Verdict.ERROR),
            finding("HW-NET-001", Level.BLOCK, "a.f", "Open.", waiver=waiver),
            finding("HW-NET-001", Level.BLOCK, "a.g", "Open.", noise="forgets"),
            finding("HW-NET-001", Level.BLOCK, "a.h", "Open.", changed=False),
            finding("HW-NET-001", Level.BLOCK, "", "Open."),
        )
    )
    assert {name.removeprefix("HW-NET-001 "): kind for name, (kind, _) in answers.items()} == {
        "a.a x": "failure",
        "a.b": "failure",
        "a.c": "skipped",
        "a.d": "skipped",
        "a.e": "error",
        "a.f": "skipped",
        "a.g": "skipped",
        "a.h": "skipped",
        "the plan as a whole": "failure",
    }
    _, failure = answers["HW-NET-001 a.a x"]
    assert (failure.message, failure.type) == ("Open.", "block/high")
    assert failure.text == "Open.\nfix: Close it.\nfrom: env.yaml:3"
    reasons = {name[-1]: answer.message for name, (kind, answer) in answers.items() if kind == "skipped"}
    assert reasons["d"] == "unknown before apply: Open."
    assert reasons["f"] == "waived (9 days left, platform@example.com; moves in January): Open."
    assert reasons["g"] == "emulator noise (forgets): Open."


def test_a_rule_that_found_all_in_order_passes_and_an_idle_one_is_no_case() -> None:
    judgement = Judgement((), passed={"HW-NET-001": 3, "HW-NET-002": 0}, idle=("HW-HYP-001",))
    assert cases((), judgement=judgement) == {"HW-NET-001": ("passed", None)}
    found = finding("HW-NET-001", Level.BLOCK, "a.a", "Open.")
    assert list(cases((found,))) == ["HW-NET-001 a.a"]


def test_suites_are_areas_and_their_totals_are_right() -> None:
    found = suites(FINDINGS)
    assert [suite.name for suite in found] == [
        "prod/eks capacity", "prod/eks checkov", "prod/eks exposure", "prod/eks hawser", "prod/eks iam",
        "prod/eks secrets",
    ]  # fmt: skip
    for suite in found:
        told = (suite.tests, suite.failures, suite.errors, suite.skipped)
        suite.update_statistics()
        assert told == (suite.tests, suite.failures, suite.errors, suite.skipped)
    root = ET.fromstring(text(FINDINGS))
    assert int(root.attrib["tests"]) == len(FINDINGS)
    assert int(root.attrib["failures"]) == sum(suite.failures for suite in found)
    assert int(root.attrib["skipped"]) == sum(suite.skipped for suite in found)


def test_the_line_of_a_case_is_the_contract_line_else_the_line_of_code() -> None:
    traced = finding("HW-NET-001", Level.BLOCK, "a.a", "x", lines=("environments/prod/env.yaml:3",), code="m/x.tf:9")
    coded = finding("HW-NET-001", Level.BLOCK, "a.b", "x", code="modules/x.tf:9")
    root = ET.fromstring(text((traced, coded, finding("HW-NET-001", Level.BLOCK, "a.c", "x"))))
    assert [(case.get("file"), case.get("line")) for case in root.iter("testcase")] == [
        ("environments/prod/env.yaml", "3"),
        ("modules/x.tf", "9"),
        (None, None),
    ]


def test_characters_that_xml_does_not_know_are_written_out() -> None:
    nasty = 'a\x00b\x1b[31m\x0b\u202e\ud800\ufffe]]> <b> & "q"'
    found = finding("HW-NET-001", Level.BLOCK, nasty, nasty, path=nasty, fix=nasty, before=nasty, after=nasty)
    written = text((found,))
    assert written.isascii()
    (case,) = ET.fromstring(written).iter("testcase")
    assert "a\\x00b\\x1b[31m" in case.attrib["name"]
    assert "\\u202e\\ud800" in case.attrib["name"]
    assert '<b> & "q"' in case.attrib["name"]


def test_no_secret_is_in_it() -> None:
    said = {"path": CANARY, "before": CANARY, "after": CANARY, "origin": CANARY, "fix": CANARY, "title": CANARY}
    waiver = WaiverUse(CANARY, CANARY, 1)
    found = (finding("X", Level.BLOCK, GROUP, CANARY, **said), finding("X", Level.BLOCK, "b", CANARY, waiver=waiver))
    assert CANARY not in text(found)
