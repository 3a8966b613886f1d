"""A secret that is a word of the page's own style, script or policy does not break the page, and is not shown."""

from __future__ import annotations

import base64
import hashlib
import re

from report_samples import sample_review
from tests.handmade_plans import entry, plan

from hawser.report import render

WORDS = ("addEventListener", "prefers-color-scheme", "default-src")


def test_style_and_script_are_those_that_the_policy_names() -> None:
    secrets = {f"x{number}": word for number, word in enumerate(WORDS)}
    marks = dict.fromkeys(secrets, True)
    before, after = ({**secrets, "y": text} for text in ("before", f"with {' '.join(WORDS)}"))
    made = entry("aws_a.b", ["update"], before, after)
    made["change"] |= {"before_sensitive": marks, "after_sensitive": marks}
    page = render(sample_review(plan(made), ()), "html", width=100, colour=False)
    style, script = (re.search(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL) for tag in ("style", "script"))
    assert style is not None
    assert script is not None
    for text in (style[1], script[1]):
        assert f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" in page
    assert WORDS[0] in script[1]
    assert WORDS[1] in style[1]
    policy = re.search('http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; style-src 'sha256-")
    rest = page.replace(style[1], "").replace(script[1], "").replace(policy[1], "")
    assert "with (sensitive) (sensitive) (sensitive)" in rest
    assert [word for word in WORDS if word in rest] == []
