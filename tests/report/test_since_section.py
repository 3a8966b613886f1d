"""The section on what changed since the last reviewed plan, in every format; without such a plan there is none."""

from __future__ import annotations

import json
from dataclasses import replace

import jsonschema
from report_samples import CANARY, sample_plan, sample_review

from hawser.contract.deployment import Place
from hawser.contract.waivers import BreakGlass
from hawser.decision.record import parse_time
from hawser.decision.since import Moved, Point, Since
from hawser.report import render
from hawser.report.review import Review
from hawser.report.schema import SCHEMA

SAME = Since("a6fda5b4e2c1" * 5, "2026-12-01T10:00:00Z", ("dave@example.com",), (), (), (), (), ())
OTHER = Since(
    "a6fda5b4e2c1" * 5,
    "2026-12-01T10:00:00Z",
    (),
    added=(Moved("destroy", "aws_kms_key.data"), Moved("update", f'aws_s3_object.x["{CANARY}"]')),
    removed=tuple(Moved("create", f"aws_subnet.node[{n}]") for n in range(60)),
    altered=(Moved("update", "aws_eks_cluster.main"),),
    findings_added=(Point("HW-DEL-002", "block", "aws_kms_key.data", ""),),
    findings_removed=(Point("HW-NET-001", "approval", "aws_eks_cluster.main", "vpc_config[0].public_access_cidrs"),),
)


def review(since: Since | None) -> Review:
    return sample_review(sample_plan("mixed"), since=since)


def text(since: Since | None, form: str) -> str:
    return render(review(since), form, width=100, colour=False)


def test_only_when_there_is_such_a_plan() -> None:
    for form in ("terminal", "md", "html"):
        assert "since the last" not in text(None, form).lower()
    assert json.loads(text(None, "json"))["since"] is None


def test_the_same_is_one_line_right_below_the_verdict() -> None:
    said = "a6fda5b4e2c1, made 2026-12-01T10:00:00Z, approved by dave@example.com: the same changes, the same findings"
    shown = text(SAME, "terminal")
    assert f"SINCE THE LAST REVIEWED PLAN\n  {said[:90].rsplit(' ', 1)[0]}" in shown
    assert shown.index("SINCE THE LAST") < shown.index("BLOCKING")
    comment = text(SAME, "md")
    assert comment.index("Since the last reviewed plan") < comment.index("Blocking")
    document = json.loads(text(SAME, "json"))
    assert document["since"]["same_changes"] is True
    assert document["since"]["approved_by"] == ["dave@example.com"]


def test_what_differs_findings_first_then_the_worst_changes() -> None:
    shown = text(OTHER, "terminal")
    lines = [line.strip() for line in shown.split("SINCE THE LAST PLAN\n")[1].splitlines()]
    assert "made 2026-12-01T10:00:00Z: +2 -60 ~1 changes, +1 -1 findings" in " ".join(lines[:2])
    at = lines.index("+ HW-DEL-002 (block) aws_kms_key.data")
    assert lines[at + 1] == "- HW-NET-001 (approval) aws_eks_cluster.main vpc_config[0].public_access_cidrs"
    assert lines[at + 2] == "+ destroy aws_kms_key.data"
    assert lines[at + 4] == "~ update aws_eks_cluster.main, with other values"
    assert "and 25 more" in lines
    page = text(OTHER, "html")
    assert "Since the last plan" in page
    assert "<code>- create aws_subnet.node[59]</code>" in page
    comment = text(OTHER, "md")
    assert "`+ destroy aws_kms_key.data`" in comment
    assert "`- create aws_subnet.node[59]`" in comment


def test_the_document_has_all_of_it_and_keeps_to_the_schema() -> None:
    for since in (None, SAME, OTHER):
        document = json.loads(text(since, "json"))
        jsonschema.validate(document, SCHEMA)
    assert len(document["since"]["removed"]) == 60
    assert document["since"]["findings_added"] == [
        {"rule_id": "HW-DEL-002", "weight": "block", "address": "aws_kms_key.data", "path": ""}
    ]


def test_no_secret_of_this_plan_comes_back_in_an_address_of_the_other() -> None:
    for form in ("terminal", "md", "html", "json"):
        assert CANARY not in text(OTHER, form)


def test_broken_glass_is_the_first_banner_everywhere() -> None:
    glass = BreakGlass(
        "carol@example.com", "INC-7", "eks", ("HW-CAP-001",), parse_time("2026-12-01T18:00:00Z"), Place("w.yaml", 3)
    )
    base = review(None)
    broken = replace(base, judgement=replace(base.judgement, broken_glass=glass))
    said = "BROKEN GLASS: carol@example.com for HW-CAP-001 in eks until 2026-12-01T18:00Z: INC-7"
    shown = render(broken, "terminal", width=160, colour=False)
    assert shown.splitlines()[3] == said
    assert "BROKEN GLASS" in "\n".join(render(broken, "md", width=80, colour=False).splitlines()[:8])
    document = json.loads(render(broken, "json", width=80, colour=False))
    jsonschema.validate(document, SCHEMA)
    assert document["broken_glass"] == {
        "by": "carol@example.com",
        "reason": "INC-7",
        "rules": ["HW-CAP-001"],
        "until": "2026-12-01T18:00:00Z",
    }
