"""The record binds: one changed field is named, and a forged record is refused."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hawser.decision import record as records
from hawser.decision.record import Compared, Record
from hawser.terraform.plan import Plan, read_plan

CLEAN = (Path(__file__).parents[1] / "gate" / "plans" / "clean.json").read_bytes()
COMPARED = Compared(**{f.name: f"value of {f.name}" for f in fields(Compared)})
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
RECORD = Record(
    compared=COMPARED,
    made=records.stamp(NOW),
    good_until=records.good_until(NOW, 24),
    approvals_needed=1,
    approvals="signed",
    planner="arn:aws:sts::111122223333:assumed-role/engineer/ann@example.com",
    emulated=False,
    broken_by="",
    broken_glass="",
    fingerprint="f",
    findings_sha256="g",
    commit="c",
    hawser_version="1",
)


def fingerprint(plan: Plan, key: bytes) -> str:
    return records.fingerprint(records.change_lines(plan, key))


def test_round_trip() -> None:
    assert records.read_record(RECORD.to_json()) == RECORD


@pytest.mark.parametrize("name", [f.name for f in fields(Compared)])
def test_each_compared_field_is_named_when_it_differs(name: str) -> None:
    differing = records.differences(COMPARED, replace(COMPARED, **{name: "other"}))
    assert len(differing) == 1
    assert replace(RECORD, compared=replace(COMPARED, **{name: "other"})).digest != RECORD.digest


@pytest.mark.parametrize("name", [f.name for f in fields(Compared)])
def test_an_altered_field_is_refused(name: str) -> None:
    document = json.loads(RECORD.to_json())
    document["compared"][name] = "other"
    with pytest.raises(ValueError, match="altered"):
        records.read_record(json.dumps(document).encode())


@pytest.mark.parametrize(
    ("name", "value"),
    [("good_until", "2099-01-01T00:00:00Z"), ("approvals_needed", 0), ("emulated", True), ("commit", "x")],
)
def test_what_is_recorded_cannot_be_altered_either(name: str, value: object) -> None:
    document = json.loads(RECORD.to_json()) | {name: value}
    with pytest.raises(ValueError, match="altered"):
        records.read_record(json.dumps(document).encode())


def test_what_is_only_recorded_is_not_compared() -> None:
    assert records.differences(RECORD.compared, replace(RECORD, commit="other").compared) == ()


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"schema": "hawser.record/1"}', b"\xff\xfe", b'{"schema": 1}'])
def test_rubbish_is_one_sentence(data: bytes) -> None:
    with pytest.raises(ValueError, match="record"):
        records.read_record(data)


def test_expiry() -> None:
    assert not records.expired(RECORD, NOW + timedelta(hours=23, minutes=59))
    assert records.expired(RECORD, NOW + timedelta(hours=24))


def test_fingerprint_ignores_time_and_order_and_sees_values() -> None:
    plan = read_plan(CLEAN, "p")
    again = json.loads(CLEAN)
    again["timestamp"] = "2030-01-01T00:00:00Z"
    again["resource_changes"].reverse()
    assert fingerprint(plan, b"k") == fingerprint(read_plan(json.dumps(again).encode(), "p"), b"k")
    other = read_plan(CLEAN.replace(b'"one"', b'"three"'), "p")
    assert fingerprint(plan, b"k") != fingerprint(other, b"k")


def test_fingerprint_of_another_key_is_another() -> None:
    plan = read_plan(CLEAN, "p")
    assert fingerprint(plan, b"k") != fingerprint(plan, b"l")
