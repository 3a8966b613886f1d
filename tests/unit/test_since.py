"""What a plan adds to and takes from the last one that somebody could review."""

from __future__ import annotations

import json
from typing import Any

from tests.handmade_plans import entry, plan

from hawser.decision.record import change_lines, fingerprint
from hawser.decision.since import Moved, Point, Seen, Since, lines_bytes, read_seen, since
from hawser.terraform.plan import Plan

KEY = b"k" * 32
BUCKET = {"bucket": "b"}


def finding(rule: str, address: str = "aws_s3_bucket.a", level: str = "block", decides: bool = True) -> dict[str, Any]:
    return {"rule_id": rule, "level": level, "address": address, "path": "", "decides": decides}


def seen(then: Plan, *findings: dict[str, Any], approved_by: tuple[str, ...] = ()) -> Seen:
    """As it comes back from the files of its bundle."""
    lines = lines_bytes(change_lines(then, KEY))
    found = read_seen("a" * 64, "2026-12-01T10:00:00Z", approved_by, lines, json.dumps(findings).encode())
    assert found is not None
    return found


def compared(then: Plan, now: Plan) -> Since:
    return since(seen(then), change_lines(now, KEY), [])


A = entry("aws_s3_bucket.a", ["create"], after=BUCKET)
B = entry("aws_s3_bucket.b", ["update"], before=BUCKET, after={"bucket": "c"})
GONE = entry("aws_s3_bucket.c", ["delete"], before=BUCKET)


def test_the_same_change_set_is_the_one_with_the_same_fingerprint() -> None:
    again = compared(plan(A, B), plan(B, A, timestamp="2026-12-02T00:00:00Z"))
    assert again.same_changes
    assert again.same_findings
    assert fingerprint(change_lines(plan(A, B), KEY)) == fingerprint(change_lines(plan(B, A), KEY))


def test_added_removed_and_altered_with_the_worst_first() -> None:
    replaced = entry("aws_s3_bucket.d", ["delete", "create"], before=BUCKET, after=BUCKET)
    other_values = entry("aws_s3_bucket.b", ["update"], before=BUCKET, after={"bucket": "d"})
    found = compared(plan(A, B), plan(other_values, GONE, replaced))
    assert found.added == (Moved("destroy", "aws_s3_bucket.c"), Moved("replace", "aws_s3_bucket.d"))
    assert found.removed == (Moved("create", "aws_s3_bucket.a"),)
    assert found.altered == (Moved("update", "aws_s3_bucket.b"),)
    assert not found.same_changes


def test_another_action_on_the_same_address_is_one_less_and_one_more() -> None:
    found = compared(plan(A), plan(entry("aws_s3_bucket.a", ["delete"], before=BUCKET)))
    assert (found.added, found.removed) == (
        (Moved("destroy", "aws_s3_bucket.a"),),
        (Moved("create", "aws_s3_bucket.a"),),
    )


def test_a_deposed_object_is_not_its_successor() -> None:
    deposed = entry("aws_s3_bucket.c", ["delete"], before=BUCKET, deposed="00000001")
    found = compared(plan(GONE), plan(GONE, deposed))
    assert found.altered == (Moved("destroy", "aws_s3_bucket.c"),)


def test_outputs_moves_and_actions_that_nobody_knows_yet_count() -> None:
    output = {"x": {"actions": ["update"], "before": 1, "after": 2, "after_unknown": False}}
    moved = entry("aws_s3_bucket.new", ["no-op"], before=BUCKET, after=BUCKET, previous_address="aws_s3_bucket.old")
    found = compared(plan(A), plan(A, moved, output_changes=output))
    assert found.added == (Moved("update", "output.x"), Moved("move or import", "aws_s3_bucket.new"))
    stays = {"x": {"actions": ["no-op"], "before": 1, "after": 1, "after_unknown": False}}
    assert compared(plan(A), plan(A, output_changes=stays)).same_changes
    strange = since(seen(plan(A)), [["aws_s3_bucket.z", "archive", ""]], [])
    assert strange.added == (Moved("archive", "aws_s3_bucket.z"),)


def test_findings_come_and_go_and_a_waived_one_is_another() -> None:
    then = seen(plan(A), finding("HW-A-001"), finding("HW-B-001"), approved_by=("dave@example.com",))
    now = [finding("HW-A-001"), finding("HW-B-001", decides=False), finding("HW-C-001", level="approval")]
    found = since(then, change_lines(plan(A), KEY), now)
    assert found.approved_by == ("dave@example.com",)
    assert found.findings_added == (
        Point("HW-C-001", "approval", "aws_s3_bucket.a", ""),
        Point("HW-B-001", "does not decide", "aws_s3_bucket.a", ""),
    )
    assert found.findings_removed == (Point("HW-B-001", "block", "aws_s3_bucket.a", ""),)
    assert found.same_changes
    assert not found.same_findings


def test_files_of_another_version_are_no_plan_seen() -> None:
    for lines, findings in ((b"{}", b"[{}]"), (b"", b"[]"), (b"[]", b""), (b"[3]", b"[]"), (b"null", b"[]")):
        assert read_seen("a" * 64, "2026-12-01T10:00:00Z", (), lines, findings) is None
