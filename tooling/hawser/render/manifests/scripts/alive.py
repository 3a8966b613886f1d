"""Whether the engine works: exit 1 when requests run and no token came for a while, or nobody answers for long.

    alive.py URL_OF_METRICS

The health path answers 200 while an engine hangs, and is late while one is busy. Tokens that are counted are neither.
What was seen last is kept in a file; each call looks once.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

#: Seconds without a token while requests run. Prompts are counted in pieces, so a long one is no silence.
STUCK = 180
#: Seconds without an answer. A busy server answers late, one that is gone ends by itself.
SILENT = 600
#: Seconds to wait for one answer; the probe's own limit is 20.
WAIT = 15

RUNNING = re.compile(r"^vllm:num_requests_running(?:\{.*\})? ([0-9.eE+-]+)", re.MULTILINE)
TOKENS = re.compile(r"^vllm:(?:generation|prompt)_tokens_total(?:\{.*\})? ([0-9.eE+-]+)", re.MULTILINE)


def judge(before: dict[str, Any], text: str | None, now: float) -> tuple[dict[str, Any], str]:
    """What to remember, and what is wrong (nothing: alive). ``text`` is nothing when there was no answer."""
    if text is None:
        since = before.get("silent") or now
        wrong = f"no answer for {now - since:.0f} s" if now - since > SILENT else ""
        return {**before, "silent": since}, wrong
    running = sum(map(float, RUNNING.findall(text)))
    tokens = sum(map(float, TOKENS.findall(text)))
    if running == 0 or tokens != before.get("tokens"):
        return {"tokens": tokens, "since": now}, ""
    since = before.get("since", now)
    wrong = f"{running:.0f} requests run and no token came for {now - since:.0f} s" if now - since > STUCK else ""
    return {"tokens": tokens, "since": since}, wrong


def main(url: str) -> int:
    """The exit code of the probe."""
    place = Path(os.environ.get("HAWSER_ALIVE", "/tmp/hawser-alive.json"))  # noqa: S108  the container's own
    try:
        before = json.loads(place.read_text())
    except (OSError, ValueError):
        before = {}
    try:
        with urllib.request.urlopen(url, timeout=WAIT) as answer:  # noqa: S310  its own server's address
            text: str | None = answer.read().decode("utf-8", "replace")
    except OSError:
        text = None
    after, wrong = judge(before, text, time.time())
    fresh = place.with_suffix(".new")
    fresh.write_text(json.dumps(after))
    fresh.replace(place)
    if wrong:
        sys.stdout.write(f"{wrong}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
