"""Every way in which a file is not a complete, current plan is one sentence; what is fit is read."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hawser.errors import CannotJudgeError
from hawser.terraform.plan import Action, read_plan

PLANS = Path(__file__).parent / "plans"
CLEAN = (PLANS / "clean.json").read_bytes()


def document(**changed: Any) -> bytes:
    return json.dumps(json.loads(CLEAN) | changed).encode()


def with_change(actions: list[str]) -> bytes:
    plan = json.loads(CLEAN)
    plan["resource_changes"][0]["change"]["actions"] = actions
    return json.dumps(plan).encode()


UNFIT = {
    "errored": ((PLANS / "errored.json").read_bytes(), "ended with errors"),
    "targeted": ((PLANS / "targeted.json").read_bytes(), "not a complete plan"),
    "truncated": (CLEAN[: len(CLEAN) // 2], "truncated"),
    "truncated by one": (CLEAN.rstrip()[:-1], "truncated"),
    "empty": (b"", "is empty"),
    "blank": (b" \n\n", "is empty"),
    "state": ((PLANS / "state.json").read_bytes(), "a Terraform state"),
    "state shown": ((PLANS / "state-show.json").read_bytes(), "JSON of a state"),
    "UTF-16": (CLEAN.decode().encode("utf-16"), "UTF-16"),
    "UTF-16 without a mark": (CLEAN.decode().encode("utf-16-le"), "UTF-16"),
    "UTF-32": (CLEAN.decode().encode("utf-32"), "UTF-16 or UTF-32"),
    "latin-1": (CLEAN.replace(b'"one"', b'"\xe9"'), "not UTF-8"),
    "future format": (document(format_version="2.0"), "plan format 2.0"),
    "old format": (document(format_version="0.2"), "plan format 0.2"),
    "odd format": (document(format_version=["1", "2"]), "not MAJOR.MINOR"),
    "duplicate key": (CLEAN.replace(b'"complete": true', b'"complete": true, "complete": true'), "'complete' twice"),
    "text before": (b"Warning: something\n" + CLEAN, "text before the JSON"),
    "text after": (CLEAN + b"\nReleasing state lock.\n", "text after the JSON"),
    "wrapper": (b"[command]/usr/bin/terraform show\n" + CLEAN, "terraform_wrapper"),
    "a list": (b"[1]", "not a plan"),
    "a number": (b"1", "not a plan"),
    "other JSON": (b"{}", "no format_version"),
    "unknown action": (with_change(["archive"]), "archive"),
    "no action": (with_change([]), "nothing"),
    "deferred": (document(complete=False, deferred_changes=[{"reason": "instance_count_unknown"}]), "deferred"),
    "does not say": (document(errored=None), "does not say whether"),
    "not applyable": (document(applyable=False), "cannot be applied"),
    "changes of the wrong type": (document(resource_changes={}), "not a JSON list"),
    "change without address": (document(resource_changes=[{"change": {}}]), "without address"),
    "binary": ((PLANS / "clean.binary").read_bytes(), "binary plan"),
    "deep": (b'{"a":' * 100_000, "nested too deeply"),
    "huge integer": (document().replace(b'"one"', b"1" * 5000), "integer"),
}


@pytest.mark.parametrize("name", UNFIT)
def test_unfit(name: str) -> None:
    data, says = UNFIT[name]
    with pytest.raises(CannotJudgeError) as raised:
        read_plan(data, "plan.json")
    assert says in raised.value.message
    assert "\n" not in raised.value.message
    assert raised.value.fix


def test_clean_plan_is_read() -> None:
    plan = read_plan(CLEAN, "plan.json")
    assert [(c.address, c.action) for c in plan.changes] == [
        ("terraform_data.first", Action.CREATE),
        ("terraform_data.second", Action.CREATE),
    ]
    first = plan.changes[0]
    assert first.after.get("output").is_unknown
    assert first.after.get("input").known() == ["one", "two"]
    assert first.before.is_null
    assert plan.notes == ()
    assert plan.counts() == {"create": 2}
    assert len(list(plan.planned())) == 2
    assert plan.outputs[0].after.is_unknown


def test_no_changes_is_fit() -> None:
    plan = read_plan((PLANS / "no-changes.json").read_bytes(), "plan.json")
    assert not plan.has_changes
    assert plan.counts() == {"no-op": 2}


def test_byte_order_mark_is_noted() -> None:
    plan = read_plan(b"\xef\xbb\xbf" + CLEAN, "plan.json")
    assert len(plan.changes) == 2
    assert "byte order mark" in plan.notes[0]


def test_newer_minor_is_noted() -> None:
    plan = read_plan(document(format_version="1.3", something_new=[1]), "plan.json")
    assert "1.3" in plan.notes[0]


def test_integers_over_64_bits_survive() -> None:
    plan = read_plan(CLEAN.replace(b'"one"', b"18446744073709551617"), "plan.json")
    assert plan.changes[0].after.get("input").known()[0] == 18446744073709551617


@given(st.binary(max_size=300))
def test_no_bytes_give_anything_but_the_sentence(data: bytes) -> None:
    with pytest.raises(CannotJudgeError):
        read_plan(data, "x")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(st.sampled_from(sorted(json.loads(CLEAN))), JSON)
def test_odd_parts_never_crash(key: str, odd: Any) -> None:
    with contextlib.suppress(CannotJudgeError):
        read_plan(document(**{key: odd}), "x")


@given(st.sampled_from(sorted(json.loads(CLEAN)["resource_changes"][0]["change"])), JSON)
def test_odd_changes_never_crash(key: str, odd: Any) -> None:
    plan = json.loads(CLEAN)
    plan["resource_changes"][0]["change"][key] = odd
    try:
        read = read_plan(json.dumps(plan).encode(), "x")
    except CannotJudgeError:
        return
    read.changes[0].changed_paths()
    read.counts()
