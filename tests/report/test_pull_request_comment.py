"""One comment for all environments of a pull request."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.report.report_samples import sample_plan, sample_review

from hawser.decision.decide import Decision
from hawser.errors import CannotJudgeError, Exit, HawserError, TerraformError
from hawser.report.markdown import COMMENT
from hawser.report.pull_request import MARKER, Planned, PullRequest, pull_request_comment
from hawser.report.review import Review

PLAN = sample_plan("mixed")


def review(environment: str, decision: Decision, stack: str = "eks", **more: object) -> Review:
    return replace(sample_review(PLAN), environment=environment, stack=stack, decision=decision, **more)  # type: ignore[arg-type]


def pull(*planned: Planned, guarded: tuple[str, ...] = (), removed: tuple[str, ...] = ()) -> PullRequest:
    return PullRequest("a" * 40, "b" * 40, planned, ("local",), removed, guarded)


def one(environment: str, *decisions: Decision, failure: HawserError | None = None) -> Planned:
    reviews = tuple(review(environment, d, f"s{i}") for i, d in enumerate(decisions))
    return Planned(environment, ("tooling",), reviews, failure)


ALLOW, ASK, DENY, NOBODY = Decision.ALLOW, Decision.NEEDS_APPROVAL, Decision.DENY, Decision.CANNOT_JUDGE


@pytest.mark.parametrize(
    ("planned", "guarded", "verdict", "code"),
    [
        ((), (), "NOTHING TO PLAN", Exit.OK),
        ((), ("prod: guardrails",), "NEEDS APPROVAL", Exit.OK),
        ((one("a", ALLOW),), (), "ALLOW", Exit.OK),
        ((one("a", ALLOW),), ("a: waiver",), "NEEDS APPROVAL", Exit.OK),
        ((one("a", ALLOW), one("b", ALLOW, ASK)), (), "NEEDS APPROVAL", Exit.OK),
        ((one("a", DENY), one("b", ASK)), ("a: waiver",), "DENY", Exit.DENIED),
        ((one("a", DENY), one("b", NOBODY)), (), "CANNOT JUDGE", Exit.CANNOT_JUDGE),
        ((one("a", failure=CannotJudgeError("x")), one("b", DENY)), (), "CANNOT JUDGE", Exit.CANNOT_JUDGE),
        ((one("a", NOBODY), one("b", failure=TerraformError("x"))), (), "FAILED", Exit.TERRAFORM_FAILED),
        ((one("a", ALLOW), one("b", ALLOW, failure=HawserError("x"))), (), "FAILED", Exit.TOOL_FAILED),
    ],
)
def test_the_worst_wins(planned: tuple[Planned, ...], guarded: tuple[str, ...], verdict: str, code: Exit) -> None:
    request = pull(*planned, guarded=guarded)
    assert (request.verdict, request.exit_code) == (verdict, code)
    text = pull_request_comment(request)
    assert text.startswith(MARKER + "\n## ")
    assert f"{verdict}: pull request" in text.splitlines()[1]


def test_guards_stand_first_and_the_worst_stack_before_the_others() -> None:
    planned = (
        one("dev", ALLOW, ASK),
        one("prod", ALLOW, DENY),
        one("stage", failure=TerraformError("init", fix="Do.")),
    )
    text = pull_request_comment(
        pull(*planned, guarded=("prod: guardrails.approvals changes: 1 → 0",), removed=("old",))
    )
    places = [
        text.index(part)
        for part in (
            "guardrails.approvals changes: 1 → 0", "`old`: what it made stays", "Could not be planned (1)",
            "| environment |", "DENY: prod / s1", "NEEDS APPROVAL: dev / s1", "ALLOW: dev / s0", "ALLOW: prod / s0",
        )
    ]  # fmt: skip
    assert places == sorted(places)
    assert "`stage`: init Do." in text
    assert "not affected: local" in text
    assert "**Cut:**" not in text


def test_many_environments_fit_with_the_worst_kept_and_the_cut_told_on_top() -> None:
    planned = (*(one(f"env-{i}", ALLOW, ASK, ALLOW) for i in range(30)), one("z-prod", DENY))
    text = pull_request_comment(pull(*planned, guarded=tuple(f"prod: waiver {i} {'x' * 900}" for i in range(200))))
    assert len(text.encode()) <= COMMENT.bytes
    assert text.splitlines()[1].startswith("> **Cut:** ")
    assert "and 160 more" in text
    reviews = [line for line in text.splitlines() if line.startswith("## ")][1:]
    assert reviews[0] == "## ⛔ DENY: z-prod / s0"
    assert len(reviews) > 3


def test_a_long_review_leaves_room_for_the_short_ones() -> None:
    many = tuple(
        replace(f, address=f"{f.address}[{i}]") for i in range(400) for f in sample_review(PLAN).judgement.findings
    )
    long = review("prod", DENY)
    long = replace(long, judgement=replace(long.judgement, findings=many))
    short = review("dev", ASK)
    text = pull_request_comment(pull(Planned("prod", ("x",), (long,)), Planned("dev", ("x",), (short,))))
    assert 40_000 < len(text.encode()) <= COMMENT.bytes
    assert "1 of 2 reviews do not fit" in text.splitlines()[1]
    assert text.index("DENY: prod / eks") < text.index("NEEDS APPROVAL: dev / eks")


def test_names_and_messages_are_no_markup() -> None:
    hostile = "x: `a` | b\n## @everyone <img src=x> ::set-output name=a::b ##[error]"
    planned = one("dev", failure=HawserError(hostile, fix=hostile))
    text = pull_request_comment(pull(planned, guarded=(hostile,)))
    assert "<img" not in text.replace("\\<img", "")
    assert "@everyone" not in text
    assert "##[" not in text
    assert not [line for line in text.splitlines() if line.startswith(("::", "## @"))]
