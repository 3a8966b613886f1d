"""Which checks the pinned checkov has: asked of checkov once per version, because it takes seconds to load."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

#: Written by ``make checkov-facts``; a test compares it with the checkov that runs.
FILE: Final = Path(__file__).with_name("checkov.yaml")

_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class CheckovChecks:
    """A version of checkov and its checks that can run on a plan: id to what passes, in checkov's words."""

    version: str
    titles: Mapping[str, str]


@cache
def checkov_checks() -> CheckovChecks:
    """The checks of the pinned checkov."""
    document: dict[str, Any] = yaml.load(FILE.read_text(encoding="utf-8"), _Loader)  # noqa: S506  the safe loader
    return CheckovChecks(document["version"], document["checks"])


def facts_text(version: str, titles: Mapping[str, str], date: str) -> str:
    """The text of ``checkov.yaml``."""
    head = "# Checks of checkov that can run on a plan. Written by `make checkov-facts`; do not edit.\n"
    document = {
        "version": version,
        "source": f"checkov {version} itself, as tooling/locks/checkov.txt pins it",
        "date": date,
        "mark": "verified",
        "checks": dict(sorted(titles.items())),
    }
    return head + yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=1000)
