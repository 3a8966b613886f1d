"""HW-SUP-002: a node fetches and installs software when it starts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shell import SCRIPTS, lines_of, scripts_of, template_strings
from hawser.policy.templates import STACK
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Change

_INSTALLS: Final = (
    ("pip install", re.compile(r"\b(?:pip3?|uv\s+pip|pipx|conda|mamba)(?:\s+-\S+)*\s+install\b")),
    (
        "a package manager",
        re.compile(r"\b(?:apt|apt-get|yum|dnf|zypper|snap|apk)\b(?:\s+-\S+)*\s+(?:install|add|upgrade|dist-upgrade)\b"),
    ),
    ("npm install", re.compile(r"\b(?:npm|yarn|pnpm)\s+(?:install|add|i)\b")),
    (
        "a download piped to a shell",
        re.compile(r"\b(?:curl|wget)\b[^|;&]*\|\s*(?:sudo\s+)?(?:\S*/)?(?:ba|z|k|da)?sh\b"),
    ),
    (
        "a download piped to a shell",
        re.compile(r"\b(?:ba)?sh\s+<\(\s*(?:curl|wget)\b|\b(?:ba)?sh\s+-c\s+[\"']?\$\((?:curl|wget)\b"),
    ),
    ("git clone", re.compile(r"\bgit\s+clone\b")),
)


@change_rule(
    RuleMeta(
        id="HW-SUP-002",
        title="Nodes start with what their image holds and install nothing.",
        area="supply",
        severity=Severity.MEDIUM,
        level=Level.APPROVAL,
        resource_types=tuple(sorted({*SCRIPTS, STACK})),
        looks_at="change",
        why="What is fetched at start can change or be away: then a node of a paid block does not come up, or runs"
        " other code than was tested.",
        fix="Build it into the image that image.digest in contract.yaml names, or into the AMI.",
    )
)
def install_at_start(change: Change, context: Context) -> Iterator[Hit]:
    """Looks at user data, lifecycle scripts and templates, line by line."""
    doubts = Doubts()
    for path, text in _texts(change, context, doubts):
        found = dict.fromkeys(what for line in lines_of(text) for what, pattern in _INSTALLS if pattern.search(line))
        if found:
            yield Hit(path=path, message=f"The script installs at start: {', '.join(found)}.")
    doubts.settle()


def _texts(change: Change, context: Context, doubts: Doubts) -> Iterator[tuple[str, str]]:
    yield from scripts_of(change, doubts, context.configuration.written(change))
    if text := "\n".join(text for _, text in template_strings(change)):
        yield "template_body", text
