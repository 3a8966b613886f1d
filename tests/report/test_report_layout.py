"""What every report owes its reader, whatever stands in the plan."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from report_samples import CAPACITY, FINDINGS, finding, sample_plan, sample_review
from rich.cells import cell_len

from hawser.decision.decide import Decision
from hawser.policy.findings import Finding, Judgement, Level, Verdict
from hawser.report import Form, render
from hawser.report.change_reader import Gone
from hawser.report.markdown import COMMENT, code, prose
from hawser.report.phrases import used_by
from hawser.report.schema import SCHEMA, schema_text
from hawser.terraform.plan import Action, read_plan

FORMS: tuple[Form, ...] = ("terminal", "md", "json")
NASTY = "a\ud83d\x1b[31mred\x07\u202eevil\u200b|<b>@octocat #12 `x` ::error::boom ##[error]bad\r\nnext"


def shown(form: Form, findings: tuple[Finding, ...] = FINDINGS, *, width: int = 80, **changes: Any) -> str:
    return render(sample_review(sample_plan("mixed"), findings, **changes), form, width=width, colour=False)


@pytest.mark.parametrize(
    ("decision", "word"),
    [
        (Decision.ALLOW, "ALLOW"),
        (Decision.NEEDS_APPROVAL, "NEEDS APPROVAL"),
        (Decision.DENY, "DENY"),
        (Decision.CANNOT_JUDGE, "CANNOT JUDGE"),
    ],
)
def test_the_first_line_is_the_verdict(decision: Decision, word: str) -> None:
    assert shown("terminal", decision=decision).splitlines()[0] == f"{word}  prod · eks · 111122223333 · us-west-2"
    marker, heading = shown("md", decision=decision).splitlines()[:2]
    assert marker == "<!-- hawser:review:prod/eks -->"
    assert heading.endswith(f"{word}: prod / eks")


def test_the_worst_comes_first() -> None:
    error = finding("HW-X-001", Level.ADVISORY, "aws_a.b", "The rule raised KeyError.", verdict=Verdict.ERROR)
    text = shown("terminal", (*FINDINGS, error))
    titles = [line.split(" (")[0] for line in text.splitlines() if re.match(r"[A-Z]{2}", line)][1:]
    assert titles == [
        "GPUs: 24 before, 0 during, 24 after",
        "CANNOT BE JUDGED",
        "BLOCKING",
        "TO APPROVE",
        "UNKNOWN BEFORE APPLY: look here afterwards",
        "GOES AWAY",
        "GPUS before, during and after the apply",
        "PRIVILEGES: who can do more, who less",
        "EXPOSURE: what opens, what closes",
        "OVERRIDES OF THE CONTRACT",
        "CHANGES",
        "ROLES created or changed: by whom, widest right",
        "MOVED",
        "ADVISORY",
        "NOT TOUCHED BY THIS PLAN",
        "EMULATOR NOISE",
        "WAIVERS IN USE",
        "FAILING CHECK BLOCKS",
        "CHECKED",
        "NEXT",
    ]


@pytest.mark.parametrize("width", [60, 80, 100, 160])
def test_no_line_is_wider_than_the_terminal_unless_it_is_one_word(width: int) -> None:
    for line in shown("terminal", width=width).splitlines():
        assert cell_len(line) <= width or len(line.split()) <= 3, line


def test_colour_is_only_colour() -> None:
    review = sample_review(sample_plan("mixed"))
    coloured = render(review, "terminal", width=80, colour=True)
    plain = render(review, "terminal", width=80, colour=False)
    assert "\x1b" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_speculative_emulated_and_destroy_plans_say_so_on_top() -> None:
    for form in ("terminal", "md"):
        top = shown(form, speculative=True, emulated=True, destroy=True)[:900]
        assert "SPECULATIVE" in top
        assert "EMULATED" in top
        assert "DESTROY" in top


@pytest.mark.parametrize("form", FORMS)
def test_nothing_in_a_plan_can_steer_a_terminal_or_a_page(form: Form) -> None:
    said = finding(NASTY, Level.BLOCK, NASTY, NASTY, path=NASTY, fix=NASTY, before=NASTY, after=NASTY, origin=NASTY)
    text = shown(form, (said,), asks=NASTY, next_commands=(NASTY,), checked=(NASTY,), environment=NASTY)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", text)
    if form != "json":  # a log never shows it as text, and its lines begin with a quotation mark
        assert not any(line.lstrip().startswith("::") for line in text.splitlines())
        assert "##[" not in text


def test_a_command_at_the_start_of_a_line_is_broken() -> None:
    text = shown("terminal", (finding("R", Level.BLOCK, "a.b", "::error::boom"),))
    assert "· ::error::boom" in text
    assert "::/0" in shown("terminal", (finding("R", Level.BLOCK, "a.b", "Open to ::/0."),))


def test_markdown_escapes_outside_code() -> None:
    assert prose("<b> [x](y) *z* @octocat #12") == "\\<b\\> \\[x\\](y) \\*z\\* @&#8203;octocat #&#8203;12"
    assert prose("- item") == "\\- item"
    assert prose("1. item") == "1\\. item"
    assert prose("::error::x") == "\\:\\:error::x"
    assert prose("# title") == "\\# title"
    assert prose(":white_check_mark: fine") == "\\:white_check_mark: fine"
    assert prose("CKV_AWS_18 in env.yaml: 0.0.0.0/0") == "CKV_AWS_18 in env.yaml: 0.0.0.0/0"


def test_code_spans_hold_any_text() -> None:
    assert code("a`b``c") == "```a`b``c```"
    assert code("`x`") == "`` `x` ``"
    assert code("a|b", cell=True) == "`a\\|b`"
    assert code("") == ""


def test_a_long_comment_is_cut_and_says_so_on_top() -> None:
    many = tuple(
        finding("HW-X-001", Level.BLOCK, f"aws_subnet.s[{i}]", f"É{'x' * 200}", fix="y" * 200) for i in range(900)
    )
    text = shown("md", many)
    assert len(text.encode()) <= COMMENT.bytes
    assert re.search(r"\*\*Cut:\*\* \d+ entries", text[:1500])
    for title in ("Blocking (900)", "Goes away", "GPUs", "Next"):
        assert title in text
    assert text.count("<details>") == text.count("</details>")


def test_a_short_comment_is_not_cut() -> None:
    assert "Cut:" not in shown("md")


def test_a_plan_without_changes_says_so() -> None:
    empty = {
        "format_version": "1.2",
        "terraform_version": "1.11.4",
        "complete": True,
        "errored": False,
        "applyable": False,
        "planned_values": {},
        "resource_drift": [{"address": "aws_eks_node_group.gpu", "change": {"actions": ["update"]}}],
    }
    plan = read_plan(json.dumps(empty).encode(), "plan.json")
    text = render(sample_review(plan, (), judgement=Judgement(())), "terminal", width=100, colour=False)
    assert "no changes: the infrastructure matches the configuration" in text
    assert "DRIFT: changed outside of Terraform\n  aws_eks_node_group.gpu" in text
    assert "GPU capacity: this plan has no pools" in text
    assert "checked, none: destroyed, replaced or forgotten; failing check blocks" in text


def test_unknown_capacity_is_not_a_number() -> None:
    from dataclasses import replace

    pools = (replace(CAPACITY[0], after=None), CAPACITY[1])
    text = shown("terminal", judgement=Judgement((), pools))
    assert "GPUs: 24 before, 0 during, 16 + ? after" in text


@pytest.mark.parametrize("name", ["mixed", "destroy"])
def test_json_follows_its_schema(name: str) -> None:
    found = json.loads(render(sample_review(sample_plan(name)), "json", width=80, colour=False))
    jsonschema.validate(found, SCHEMA, cls=jsonschema.Draft202012Validator)
    assert found["schema"] == "hawser.review/1"
    assert len(found["findings"]) == len(FINDINGS)
    assert [f["rule_id"] for f in found["findings"]][:2] == ["HW-CAP-001", "HW-NET-001"]


def test_the_schema_is_valid_and_written_out() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    path = Path(__file__).parents[2] / "docs" / "report.schema.json"
    written = path.read_text(encoding="utf-8")
    assert written == schema_text(), (
        "to accept it: PYTHONPATH=tooling .venv/bin/python -m hawser.report.schema > docs/report.schema.json"
    )


@pytest.mark.parametrize("form", ["terminal", "md", "html", "json"])
def test_a_changed_attribute_shows_the_line_that_gives_its_value(form: Form) -> None:
    made = sample_plan("mixed")
    change = next(one for one in made.changes if one.action is Action.UPDATE and one.changed_paths())
    line = "environments/prod/env.yaml:18"
    causes = {(change.address, path): (line,) for path in change.changed_paths()}
    review = sample_review(made, (), judgement=Judgement((), causes=causes))
    assert line in render(review, form, width=160, colour=False)
    assert line not in render(sample_review(made, ()), form, width=160, colour=False)


@pytest.mark.parametrize(
    ("asks", "page", "comment"),
    [
        ("Do `hawser apply x`.", "Do <code>hawser apply x</code>.", "**Do `hawser apply x`.**"),
        ("No <b> pair ` here", "No &lt;b&gt; pair ` here", "**No \\<b\\> pair \\` here**"),
    ],
)
def test_a_command_between_backticks_is_code(asks: str, page: str, comment: str) -> None:
    assert f'<p class="asks">{page}</p>' in shown("html", asks=asks)
    assert comment in shown("md", asks=asks).splitlines()


def test_who_uses_what_goes_away_is_said() -> None:
    users = tuple(f"aws_thing.user{n}" for n in range(7))
    one = Gone("destroy", "aws_thing.it", "why", used_by=users)
    assert used_by(one) == f"used by: {', '.join(users[:5])} and 2 more"
    assert used_by(Gone("destroy", "aws_thing.it", "why")) == ""
