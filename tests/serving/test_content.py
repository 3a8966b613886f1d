"""Texts that a user may see, and those that nobody should."""

from __future__ import annotations

import time

import pytest

from hawser.serve.content import has_number, mark, quoted, repeated


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<|open|>response<|sep|>42", "<|open|>"),
        ("42<|im_end|>", "<|im_end|>"),
        ("42<|im_e", "<|im_e"),
        ("42 end|>", "|>"),
        ("<think>hm</think>42", "<think>"),
        ("</think>42", "</think>"),
        ("◁think▷42", "◁think▷"),
        ('<tool_call>{"name"', "<tool_call>"),
        ("[TOOL_CALLS]x", "[TOOL_CALLS]"),
        ("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁begin｜"),
        ("42", None),
        ("3 < 4 and 5 > 4 | x", None),
        ("I think the function thinks", None),
        ("a <b>bold</b> answer", None),
    ],
)
def test_marks(text: str, found: str | None) -> None:
    assert mark(text) == found


@pytest.mark.parametrize(
    "text", ["!!!!", "a!!!!!!!!b", "the the the the end", "no no no no", "ab\nab\nab\nab", "\ufffd" * 9, "-" * 200]
)
def test_rubbish_repeats(text: str) -> None:
    assert repeated(text)


@pytest.mark.parametrize(
    "text",
    [
        "42",
        "!!!",
        "100000000",
        "| a | b |\n|-----|-----|\n",
        "Well... ---- 42 ----",
        "It is 37 °C in Lisbon.",
        "",
        "ha ha ha",
    ],
)
def test_what_is_no_rubbish(text: str) -> None:
    assert repeated(text) is None


def test_a_long_text_is_looked_at_in_time() -> None:
    text = "".join(chr(0x4E00 + (i * i) % 5003) for i in range(200_000))
    began = time.process_time()
    assert repeated(text) is None
    assert time.process_time() - began < 5


@pytest.mark.parametrize("text", ["42", "**42**", "It is 42.", "17+25=42", "42.0", "$42$", "42,"])
def test_the_number_is_there(text: str) -> None:
    assert has_number(text, 42)


@pytest.mark.parametrize("text", ["", "142", "420", "4.42", "42.5", "17+25", "forty-two"])
def test_another_number(text: str) -> None:
    assert not has_number(text, 42)


def test_quoted() -> None:
    assert quoted(" a\n b\t") == "'a b'"
    assert quoted("x" * 61) == f"'{'x' * 60}…'"
    assert quoted("\x1b[31m\u202e") == "'\ufffd[31m\ufffd'"
