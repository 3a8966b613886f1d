"""SARIF: by the published schema, by what code scanning asks for, and by what a reader must be able to rely on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jsonschema
import pytest
from report_samples import CANARY, FINDINGS, GROUP, finding, sample_plan, sample_review

from hawser.policy.findings import Finding, Level, Severity, Verdict, WaiverUse
from hawser.policy.registry import all_rules
from hawser.report import render

SCHEMA = json.loads((Path(__file__).parent / "sarif" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
NASTY = "a\x00b\x1b[31m\u202e\ud800 <b> `x` ::error:: " + "x" * 200


def log(findings: tuple[Finding, ...] = FINDINGS, **changes: Any) -> dict[str, Any]:
    text = render(sample_review(sample_plan("mixed"), findings, **changes), "sarif", width=80, colour=False)
    document: dict[str, Any] = json.loads(text)
    jsonschema.Draft7Validator(SCHEMA).validate(document)
    assert text.isascii()
    return document


def run(findings: tuple[Finding, ...] = FINDINGS, **changes: Any) -> dict[str, Any]:
    (only,) = log(findings, **changes)["runs"]
    found: dict[str, Any] = only
    return found


def one(found: Finding, **changes: Any) -> dict[str, Any]:
    (result,) = run((found,), **changes)["results"]
    answer: dict[str, Any] = result
    return answer


def test_the_schema_can_refuse() -> None:
    wrong = log()
    wrong["runs"][0]["results"][0]["level"] = "fatal"
    with pytest.raises(jsonschema.ValidationError, match="fatal"):
        jsonschema.Draft7Validator(SCHEMA).validate(wrong)


@pytest.mark.parametrize(
    "findings",
    [
        (),
        FINDINGS,
        (finding("HW-NET-001", Level.BLOCK, NASTY, NASTY, path=NASTY, before=NASTY, after=NASTY, origin=NASTY),),
        (finding(NASTY, Level.BLOCK, "", "x", verdict=Verdict.ERROR, code=NASTY, lines=(NASTY,)),),
    ],
)
@pytest.mark.parametrize("environment", ["prod", ""])
def test_every_result_is_one_that_code_scanning_takes(findings: tuple[Finding, ...], environment: str) -> None:
    found = run(findings, environment=environment, stack="a plan.json")
    rules = found["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert len(found["results"]) == len(findings)
    for result in found["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        (location,) = result["locations"]
        place = location["physicalLocation"]
        parts = urlsplit(place["artifactLocation"]["uri"])
        assert parts.path
        assert (parts.scheme, parts.netloc) == ("", "")
        assert not parts.path.startswith(("/", ".."))
        assert place["artifactLocation"]["uriBaseId"] in found["originalUriBaseIds"]
        assert place["region"]["startLine"] >= 1
        assert result["partialFingerprints"]["primaryLocationLineHash"]
        assert result["message"]["text"].strip()
    for rule in rules:
        assert 0 < float(rule["properties"]["security-severity"]) <= 10
        assert len(rule["properties"]["tags"]) <= 20
        assert all(rule[text]["text"].strip() for text in ("shortDescription", "fullDescription", "help"))


def test_a_result_lies_at_the_contract_line_else_in_the_code_else_at_what_was_judged() -> None:
    def place(found: Finding, **changes: Any) -> tuple[str, int, str]:
        (location,) = one(found, **changes)["locations"]
        where = location["physicalLocation"]
        return where["artifactLocation"]["uri"], where["region"]["startLine"], location["properties"]["place"]

    bare = finding("HW-NET-001", Level.BLOCK, GROUP, "Open.")
    coded = replace(bare, code="modules/network/main.tf:12", origin="not from the contract: constant in x")
    traced = replace(coded, lines=("environments/prod/env.yaml:18", "environments/contract.yaml:4"))
    assert place(traced) == ("environments/prod/env.yaml", 18, "contract")
    assert place(coded) == ("modules/network/main.tf", 12, "code")
    assert place(replace(bare, origin="environments/prod/waivers.yaml:3")) == (
        "environments/prod/waivers.yaml", 3, "contract",
    )  # fmt: skip
    assert place(bare) == ("environments/prod/env.yaml", 1, "environment")
    assert place(bare, environment="", stack="a plan.json") == ("a%20plan.json", 1, "plan file")
    (logical,) = one(replace(bare, path="ingress[0]"))["locations"][0]["logicalLocations"]
    assert logical["fullyQualifiedName"] == f"{GROUP} ingress[0]"


def test_a_fingerprint_is_of_rule_address_and_path_alone() -> None:
    def fingerprint(found: Finding, **changes: Any) -> Any:
        return one(found, **changes)["partialFingerprints"]

    first = finding("HW-NET-001", Level.BLOCK, GROUP, "Open.", path="ingress", lines=("environments/prod/env.yaml:18",))
    moved = replace(first, lines=("environments/prod/env.yaml:99",), message="Opener.", level=Level.ADVISORY)
    assert fingerprint(first) == fingerprint(moved)
    others = [
        fingerprint(replace(first, address="aws_vpc.x")),
        fingerprint(replace(first, path="egress")),
        fingerprint(replace(first, rule_id="HW-NET-002")),
        fingerprint(first, environment="dev"),
        fingerprint(first, stack="platform"),
    ]
    assert len({json.dumps(each) for each in (fingerprint(first), *others)}) == 6


def test_levels_say_what_the_finding_asks_for() -> None:
    def level(level: Level, **more: Any) -> tuple[str, str]:
        result = one(finding("HW-NET-001", level, GROUP, "Open.", **more))
        return result["kind"], result["level"]

    assert level(Level.BLOCK) == ("fail", "error")
    assert level(Level.APPROVAL) == ("fail", "warning")
    assert level(Level.ADVISORY) == ("fail", "note")
    assert level(Level.ADVISORY, verdict=Verdict.ERROR) == ("fail", "error")
    assert level(Level.BLOCK, changed=False) == ("fail", "note")
    assert level(Level.BLOCK, verdict=Verdict.UNDECIDABLE) == ("review", "none")
    (invocation,) = run((finding("X", Level.BLOCK, "", "x", verdict=Verdict.ERROR),))["invocations"]
    assert invocation["executionSuccessful"] is False


def test_rules_speak_with_the_words_of_the_registry() -> None:
    meta = next(rule.meta for rule in all_rules() if rule.meta.id == "HW-NET-001")
    found = run((finding("HW-NET-001", Level.ADVISORY, GROUP, "Open.", severity=Severity.LOW),))
    (rule,) = found["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"] == meta.title
    assert meta.fix in rule["help"]["text"]
    levels = {Level.BLOCK: "error", Level.APPROVAL: "warning", Level.ADVISORY: "note"}
    assert rule["defaultConfiguration"]["level"] == levels[meta.level]


def test_a_waived_finding_is_suppressed_with_its_reason_and_its_days() -> None:
    waiver = WaiverUse("platform@example.com", "moves in January", 9)
    (suppression,) = one(finding("HW-NET-001", Level.BLOCK, GROUP, "Open.", waiver=waiver))["suppressions"]
    assert suppression["status"] == "accepted"
    assert "moves in January" in suppression["justification"]
    assert "platform@example.com" in suppression["justification"]
    assert "9 days" in suppression["justification"]
    (noisy,) = one(finding("HW-NET-001", Level.BLOCK, GROUP, "Open.", noise="forgets"))["suppressions"]
    assert "forgets" in noisy["justification"]
    assert "suppressions" not in one(finding("HW-NET-001", Level.BLOCK, GROUP, "Open."))


def test_of_too_many_results_the_worst_are_kept_and_it_is_said() -> None:
    many = tuple(finding("CKV_AWS_1", Level.ADVISORY, f"aws_vpc.x[{n}]", "x", source="checkov") for n in range(5_500))
    found = run((*many, finding("HW-NET-001", Level.BLOCK, GROUP, "Open.")))
    assert len(found["results"]) == 5_000
    assert found["results"][0]["ruleId"] == "HW-NET-001"
    assert "5000 of 5501" in found["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    assert "5000" not in json.dumps(run()["invocations"])


def test_no_secret_is_in_it() -> None:
    said = {"path": CANARY, "before": CANARY, "after": CANARY, "origin": CANARY, "fix": CANARY, "title": CANARY}
    found = finding("CKV_AWS_1", Level.BLOCK, GROUP, CANARY, waiver=WaiverUse(CANARY, CANARY, 1), **said)
    assert CANARY not in json.dumps(log((found,)))
