"""No text of a plan becomes markup, a mention, a command of a runner or a trick for the eye, in any form."""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from report_samples import finding, sample_review
from tests.handmade_plans import entry, plan

from hawser.policy.findings import Judgement, Level, PoolCapacity, WaiverUse
from hawser.report import Form, render
from hawser.report.visible import visible

FORMS: tuple[Form, ...] = ("terminal", "md", "summary", "html", "json", "sarif", "junit")
PIECES = (
    "<script>alert(1)</script>", "<img src=x onerror=y>", "</code></details>", "<!--", "-->", "]]>", "&lt;b&gt;",
    "&#60;",
    "[x](https://evil.example)", "![x](y)", "<https://evil.example>", "https://evil.example", "www.evil.example",
    "me@evil.example", "mailto:me@evil.example", "@octocat", "@org/team", "#12", "org/repo#12", "GH-12",
    "0123456789abcdef0123456789abcdef01234567", "org/repo@0123456789abcdef0123456789abcdef01234567", "`", "```", "~~~",
    "|", "\\", "*x*", "_x_", "**", "~~x~~", "$x$", ":tada:", "# x", "> x", "- x", "1. x", "===", "---", "[^1]",
    "- [x] y",
    "::set-output name=x::y", "::error::x", "##[error]x", "##vso[task.x]y", "\r\n", "\n\n", "\t", "\x1b[31m", "\x9b31m",
    "\x1b]8;;https://evil.example\x07", "\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\u2028", "\u00ad", "\ud800",
    "\U000e0041", "\u3164", "{{ 7*7 }}", "{% raw %}", "\"", "'", "</style>", "</title>", "%0A::warning::x", "é", " ",
)  # fmt: skip
HOSTILE = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), min_size=1, max_size=6).map("".join)
HIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ud800-\udfff\U000e0000-\U000e0fff]"
)


def review_of(text: str) -> Any:
    """A review in which every text of a plan that a form shows is this one."""
    address = f"aws_a.b[{json.dumps(text)}]"
    found = plan(
        entry("aws_a.c", ["update"], {"x": "1", text: "a"}, {"x": text, text: "b"}, previous_address="aws_a.d"),
        entry(address, ["delete"], {"x": text}, None, action_reason="delete_because_no_module"),
        entry(f"module.{'m'}.aws_a.e", ["create"], None, {"x": text, "y": json.dumps({text: text})}),
        entry("aws_a.f", ["delete", "create"], {"x": text}, {"x": "2"}, replace_paths=[["x"]]),
        output_changes={"o": {"actions": ["update"], "before": text, "after": [text]}},
        resource_drift=[{"address": address, "change": {"actions": ["delete"]}}],
        checks=[{"address": {"to_display": text}, "status": "fail", "instances": [{"problems": [{"message": text}]}]}],
    )
    more = {"path": text, "fix": text, "title": text, "before": text, "after": text, "origin": text}
    findings = (
        finding("HW-A-001", Level.BLOCK, address, text, **more),
        finding("HW-A-002", Level.ADVISORY, text, text, **more),
        finding("HW-A-003", Level.BLOCK, text, text, changed=False, **more),
        finding("HW-A-004", Level.BLOCK, text, text, waiver=WaiverUse(text, text, 3), **more),
        finding("HW-A-005", Level.BLOCK, text, text, noise=text, **more),
    )
    pools = (PoolCapacity(text, address, text, 8, 0, None, text),)
    return sample_review(
        found, findings, judgement=Judgement(findings, pools, notes=(text,), lowered=(text,)), gpus_needed=16,
        asks=text, environment=text, checked=(text,), overrides={text: (text, text)}, next_commands=(text,),
    )  # fmt: skip


class Page(HTMLParser):
    """Elements and attributes of a page, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.comments = 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_comment(self, data: str) -> None:
        self.comments += 1


TAGS = Page(render(review_of("plain"), "html", width=80, colour=False)).tags
OURS_IN_MARKDOWN = {"<details>", "</details>"}


@settings(max_examples=60, deadline=None)
@given(HOSTILE)
@example("".join(PIECES))
def test_nothing_hidden_and_no_command_in_any_form(text: str) -> None:
    review = review_of(text)
    for form in FORMS:
        shown = render(review, form, width=80, colour=False)
        if form == "html":
            shown = shown[shown.index("</style>") : shown.rindex("<script>")]
        assert not HIDDEN.search(shown), form
        if form not in ("json", "sarif"):
            assert not re.search(r"(?m)^\s*::|##\[|##vso\[", shown), form


@settings(max_examples=60, deadline=None)
@given(HOSTILE)
@example("".join(PIECES))
def test_the_page_has_no_element_but_ours(text: str) -> None:
    shown = render(review_of(text), "html", width=80, colour=False)
    page = Page(shown)
    assert page.tags <= TAGS
    assert not {name for name in page.attributes if name.startswith("on")} | page.attributes & {
        "src",
        "style",
        "srcdoc",
    }
    assert page.comments == 0
    assert shown.count("<script>") == shown.count("<style>") == 1


@pytest.mark.parametrize("form", ["md", "summary"])
@settings(max_examples=80, deadline=None)
@given(text=HOSTILE)
@example(text="".join(PIECES))
@example(text="##[error]x")
@example(text="a|b\\|c`d")
def test_markdown_has_no_element_but_ours(form: Form, text: str) -> None:
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    shown = render(review_of(text), form, width=80, colour=False)
    comment, rest = shown.split("\n", 1)
    assert re.fullmatch(r"<!-- hawser:review:[A-Za-z0-9._/-]* -->", comment)
    rows = 0
    for token in parser.parse(rest):
        if token.type == "html_block":
            for line in token.content.splitlines():
                assert line in OURS_IN_MARKDOWN or re.fullmatch(r"<summary>[A-Za-z:, ]+ \(\d+\)</summary>", line), line
        assert token.type not in ("blockquote_open", "hr", "ordered_list_open", "code_block") or (
            token.type == "blockquote_open" and token.level == 0
        )
        rows += token.type == "tr_open"
        if token.type == "heading_open":
            assert token.markup in ("##", "###")
        for child in token.children or ():
            assert child.type in ("text", "code_inline", "strong_open", "strong_close", "softbreak", "hardbreak"), child
            if child.type == "text":
                free_of_references(child.content)
    assert rows == 2


def free_of_references(said: str) -> None:
    """What GitHub makes a link or a notification of although it is plain text."""
    assert not re.search(r"(?<![A-Za-z0-9])@[A-Za-z0-9]", said), said
    assert not re.search(r"(?i)#\d|\bGH-\d|https?://|\bwww\.", said), said
    assert not re.search(r"(?i)(?<![A-Za-z0-9])(?!\d+(?![A-Za-z0-9]))[0-9a-f]{7,40}(?![A-Za-z0-9])", said), said
    assert not re.search(r"[A-Za-z0-9]@[A-Za-z0-9-]+\.", said), said


def test_no_character_of_unicode_stays_hidden() -> None:
    assert HIDDEN.findall(visible("".join(map(chr, range(sys.maxunicode + 1))))) == []
    assert visible("a\U000e0100b\u180fc") == "a\\U000e0100b\\u180fc"


@given(st.text())
def test_visible_text_is_printable_and_says_what_was_there(text: str) -> None:
    shown = visible(text)
    assert not HIDDEN.search(shown)
    assert visible(shown) == shown
    if text.isascii() and text.isprintable():
        assert shown == text
