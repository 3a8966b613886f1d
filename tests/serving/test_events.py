"""Server-sent events: the same ones however the bytes are cut, and with any line ending of the standard."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hawser.serve.events import MOST_CHARACTERS, EventReader, EventTooLongError

STREAM = (
    '\ufeffdata: {"a": "größer 語 🚢"}\n\n: a comment\nevent: message\nid: 7\n'
    "data: first\ndata:second\ndata:  third\n\n"
    "retry: 10\n\n\ndata\n\ndata:\n\nunknown: x\ndata: [DONE]\n\ndata: never ended\n"
).encode()
EVENTS = ['{"a": "größer 語 🚢"}', "first\nsecond\n third", "", "", "[DONE]"]


def read(*pieces: bytes) -> list[str]:
    reader = EventReader()
    return [event for piece in pieces for event in reader.feed(piece)]


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\r"])
def test_events_of_a_whole_stream(ending: bytes) -> None:
    assert read(STREAM.replace(b"\n", ending)) == EVENTS


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\r"])
def test_byte_by_byte(ending: bytes) -> None:
    assert read(*(bytes([byte]) for byte in STREAM.replace(b"\n", ending))) == EVENTS


@given(st.lists(st.integers(0, len(STREAM) * 2)), st.sampled_from([b"\n", b"\r\n", b"\r"]))
def test_cut_anywhere(cuts: list[int], ending: bytes) -> None:
    stream = STREAM.replace(b"\n", ending)
    places = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    pieces = [stream[a:b] for a, b in pairwise(places)]
    assert read(*pieces) == EVENTS


def test_an_event_comes_with_the_byte_that_ends_it() -> None:
    reader = EventReader()
    assert reader.feed(b"data: x\r\n\r") == ["x"]
    assert reader.feed(b"\ndata: y\n") == []
    assert reader.feed(b"\n") == ["y"]


def test_bytes_that_are_no_utf8() -> None:
    assert read(b"data: a\xffb\n\n") == ["a\ufffdb"]


@pytest.mark.parametrize("filling", [b"x" * 100_000, b"x\ndata:" + b"x" * 100_000])
def test_an_event_without_an_end_is_refused(filling: bytes) -> None:
    reader = EventReader()
    reader.feed(b"data: ")
    for _ in range(MOST_CHARACTERS // 100_000):
        reader.feed(filling)
    with pytest.raises(EventTooLongError):
        reader.feed(filling)
