"""Four thousand new objects and one destroyed among them: who reads only the top must still see it."""

from __future__ import annotations

import re

import pytest
from report_samples import finding, sample_review
from tests.handmade_plans import entry, plan

from hawser.policy.findings import Judgement, Level
from hawser.report import Form, render

CREATES = 4_000
BURIED = "module.data.aws_db_instance.ledger"


@pytest.fixture(scope="module")
def reports() -> dict[Form, str]:
    def created(index: int) -> dict[str, object]:
        tags = {"Name": f"object-{index:04}", "team": "inference", "owner": "platform"}
        after = {"name": f"object-{index:04}", "cidr_block": "10.0.0.0/24", "tags": tags, "policy": "x" * 300}
        return entry(f"module.m{index % 40}.aws_subnet.s[{index}]", ["create"], None, after, {"id": True})

    changes = [created(index) for index in range(CREATES)]
    gone = entry(BURIED, ["delete"], {"identifier": "ledger"}, None, action_reason="delete_because_no_resource_config")
    changes.insert(2_718, {**gone, "type": "aws_db_instance"})
    advisory = tuple(
        finding("CKV_AWS_1", Level.ADVISORY, f"module.m{i % 40}.aws_subnet.s[{i}]", "Ensure that it is tagged")
        for i in range(CREATES)
    )
    blocking = finding("HW-DEL-001", Level.BLOCK, BURIED, "The database goes with all that is in it.")
    review = sample_review(plan(*changes), judgement=Judgement((*advisory, blocking)))
    return {form: render(review, form, width=80, colour=False) for form in ("terminal", "md", "summary", "html")}


def test_the_comment_fits_and_the_destroy_stands_on_top(reports: dict[Form, str]) -> None:
    for form, most in (("md", 60_000), ("summary", 1_000_000)):
        text = reports[form]
        assert len(text.encode()) <= most
        assert text.startswith("<!-- hawser:review:prod/eks -->\n")
        assert "1 to destroy, 4000 to create" in text[:500]
        assert "1 blocking, 4000 advisory" in text[:600]
        assert text.index("HW-DEL-001") < text.index(BURIED) < text.index("CKV_AWS_1")
        assert f"**destroy** `{BURIED}`" in text
        assert text.index(f"**destroy** `{BURIED}`") < text.index("create in")
    assert "destroy " + BURIED in re.sub(r" +", " ", reports["terminal"])


def test_the_summary_says_more_than_the_comment(reports: dict[Form, str]) -> None:
    assert len(reports["summary"]) > len(reports["md"])


def test_the_page_folds_what_is_only_created(reports: dict[Form, str]) -> None:
    page = reports["html"]
    assert len(page.encode()) < 3_000_000
    assert page.index('data-action="destroy"') < page.index('data-action="create"')
    changes = page[page.index('aria-label="Changes"') : page.index('aria-label="Advisory"')]
    addresses = {f"module.m{index % 40}.aws_subnet.s[{index}]" for index in range(CREATES)}
    assert set(re.findall(r"module\.m\d+\.aws_subnet\.s\[\d+\]", changes)) == addresses
