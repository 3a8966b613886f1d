"""Texts fit to be shown: on one line, nothing in them invisible, never too long."""

from __future__ import annotations

import re
from typing import Final

#: Characters of a sentence or an address that are shown.
LONGEST_TEXT: Final = 600

# Characters that print as nothing although Unicode calls them printable.
_INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def visible(text: str) -> str:
    """The text on one line, with every control, direction and invisible character written out as its escape."""
    if not text.isprintable():
        text = "".join(c if c.isprintable() else _written_out(c) for c in text)
    if not text.isascii():
        text = _INVISIBLE.sub(lambda match: _written_out(match[0]), text)
    return text


def shortened(text: str, longest: int) -> str:
    """The text, or its beginning and the number of characters that are missing."""
    if len(text) <= longest:
        return text
    return f"{text[: longest - 1]}… ({len(text) - longest + 1} more characters)"


def _written_out(character: str) -> str:
    named = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
    code = ord(character)
    return named.get(character) or (
        f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    )
