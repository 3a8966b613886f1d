"""Known, unknown, null, empty and missing are five things."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hawser.terraform.values import UNKNOWN, UndecidableError, Value, steps


def test_five_things() -> None:
    value = Value({"known": "x", "null": None, "empty": []}, {"later": True})
    assert value.get("known").known() == "x"
    assert value.get("later").is_unknown
    assert value.get("later").present
    assert not value.get("later").is_missing
    assert value.get("null").is_null
    assert not value.get("null").is_missing
    assert value.get("missing").is_missing
    assert value.get("missing").is_null
    assert not value.get("missing").present
    assert not value.get("empty").present
    assert not value.get("empty").is_null


def test_content_of_an_unknown_is_undecidable_and_names_the_path() -> None:
    value = Value({"a": [{"b": None}]}, {"a": [{"b": True}]})
    with pytest.raises(UndecidableError) as raised:
        value.at("a", 0, "b").known()
    assert raised.value.path == "a[0].b"
    with pytest.raises(UndecidableError):
        value.known()


def test_unknown_has_no_truth() -> None:
    with pytest.raises(TypeError):
        bool(UNKNOWN)


def test_marks_of_another_length_make_every_element_unknown() -> None:
    value = Value({"ids": ["a", "c"]}, {"ids": [False, True, False]})
    assert [element.is_unknown for element in value.get("ids").elements()] == [True, True]
    agreeing = Value({"ids": ["a", None, "c"]}, {"ids": [False, True, False]})
    assert [element.is_unknown for element in agreeing.get("ids").elements()] == [False, True, False]


def test_whole_value_unknown_reaches_every_child() -> None:
    value = Value(None, True)
    assert value.get("anything").is_unknown
    assert value.tree() is UNKNOWN
    with pytest.raises(UndecidableError):
        list(value.items())
    with pytest.raises(UndecidableError):
        list(value.elements())


def test_placeholders_count_as_unknown_but_a_document_is_unknown_only_in_places() -> None:
    placeholders = frozenset({"subnet-0"})
    value = Value(
        {"id": "subnet-0", "arn": "x/subnet-0/y", "body": '{"s":"subnet-0"}', "other": "a"},
        None,
        None,
        "",
        placeholders,
    )
    assert value.get("id").is_unknown
    assert value.get("arn").is_unknown
    assert not value.get("body").is_unknown
    assert value.get("body").has_unknown
    assert not value.get("other").has_unknown


def test_sensitive_marks_travel() -> None:
    value = Value({"a": {"b": "secret"}, "c": 1}, None, {"a": {"b": True}})
    assert value.at("a", "b").is_sensitive
    assert value.get("a").is_sensitive
    assert not value.get("c").is_sensitive
    assert "secret" not in repr(value.at("a", "b"))


@pytest.mark.parametrize(
    ("key", "path"),
    [
        ("plain", "plain"),
        ("a.b", '["a.b"]'),
        ('q"q', '["q\\"q"]'),
        ("nvidia.com/gpu", '["nvidia.com/gpu"]'),
        ("", '[""]'),
    ],
)
def test_paths_are_terraforms(key: str, path: str) -> None:
    assert Value({key: 1}).get(key).path == path


@given(st.lists(st.text(max_size=6) | st.integers(0, 12), min_size=1, max_size=4))
def test_a_path_leads_back_to_its_steps(keys: list[str | int]) -> None:
    assert steps(Value({}).at(*keys).path) == tuple(keys)


MARKS = st.recursive(
    st.booleans() | st.none() | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


@given(MARKS, MARKS, MARKS)
def test_any_shape_can_be_walked(raw: Any, unknown: Any, sensitive: Any) -> None:
    value = Value(raw, unknown, sensitive)
    for step in ("a", 0, "b", 1):
        child = value.get(step)
        assert isinstance(child.is_unknown, bool)
        assert isinstance(child.is_sensitive, bool)
        assert child.path
    value.tree()  # never raises: reports are made of it
    try:
        assert value.known() == raw
    except UndecidableError:
        assert value.has_unknown


def test_a_list_that_is_empty_but_for_unknown_elements_is_unknown_as_a_whole() -> None:
    value = Value({"rules": [], "name": "x"}, {"rules": [{"id": True}]})
    assert value.tree() == {"rules": UNKNOWN, "name": "x"}
    with pytest.raises(UndecidableError):
        list(value.get("rules").elements())
