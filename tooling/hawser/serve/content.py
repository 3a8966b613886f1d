"""Text of a model: whether it is one that a user may see."""

from __future__ import annotations

import re
from typing import Final

#: Marks that templates and parsers of chat models use among themselves, and which no answer to our questions has.
_MARKS: Final = re.compile(
    r"<\|[^|<>\s]{0,40}\|?>?|\|>|<｜[^<>\s]{0,40}|◁/?think▷|\[TOOL_CALLS\]|</?(?:think|tool_calls?|function)\b[^<>]{0,40}>?"
)
#: Four times the same in a row: an answer to our questions has no reason for it.
_REPEATED: Final = re.compile(r"(\S|\S.{0,30}?\S)(?:\s*\1){3,}", re.DOTALL)
#: What rules and tables are drawn with, and how much of it is one.
_DRAWN: Final = frozenset("-=_*.#|:~ ")
_LONGEST_RULE: Final = 80
#: Characters that are looked at. Rubbish begins early, and the search takes longer than the text grows.
_LOOKED_AT: Final = 4000
#: Characters of a foreign text in one of our sentences.
_QUOTED: Final = 60


def mark(text: str) -> str | None:
    """The first mark of a chat template or tool format in ``text``."""
    found = _MARKS.search(text)
    return found[0] if found else None


def repeated(text: str) -> str | None:
    """The part of ``text`` in which something stands four times or more in a row; digits and drawn rules may."""
    for found in _REPEATED.finditer(text[:_LOOKED_AT]):
        rule = set(found[1]) <= _DRAWN and len(found[0]) <= _LONGEST_RULE
        if not found[1].isdigit() and not rule:
            return found[0]
    return None


def has_number(text: str, number: int) -> bool:
    """Whether ``number`` stands in ``text`` by itself, not as a part of another."""
    return re.search(rf"(?<![\d.]){number}(?!\d|[.,]0*[1-9])", text) is not None


def quoted(text: str) -> str:
    """``text`` in quotes: short, on one line, without control characters or what a CI runner takes for a command."""
    line = " ".join(text.split())
    line = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line)
    line = line.replace("::", ": :").replace("##[", "# #[")
    return f"'{line[:_QUOTED]}…'" if len(line) > _QUOTED else f"'{line}'"
