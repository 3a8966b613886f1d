"""The quick look at a text before any pattern: it never lets a text go that a pattern fits."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hawser.terraform.secrets import SHAPES, SHORTEST_SHAPE, may_hold_shapes, shapes_in


@pytest.mark.parametrize("number", range(len(SHAPES)), ids=[shape.name for shape in SHAPES])
@given(data=st.data())
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_whatever_fits_a_pattern_has_a_hint(number: int, data: st.DataObject) -> None:
    shape = SHAPES[number]
    text = data.draw(st.from_regex(shape.pattern, alphabet=st.characters(codec="ascii")))
    assert any(hint in text.lower() for hint in shape.hints)
    assert may_hold_shapes(text) or len(text) < SHORTEST_SHAPE


@pytest.mark.parametrize("name", ["pAsSwOrD", "API-Key", "ClientSecret", "aCCess_kEY"])
def test_letters_of_any_size(name: str) -> None:
    assert [shape.name for shape, _, _ in shapes_in(f"{name}=k8Zt3qPw9LmX2vRb")] == ["secret in a setting"]


def test_ordinary_texts_are_let_go_at_once() -> None:
    assert not may_hold_shapes('{"Action": ["kms:DescribeKey"], "Resource": "arn:aws:kms:us-west-2:1:key/1234abcd"}')
