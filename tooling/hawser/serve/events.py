"""Server-sent events, as the HTML standard defines them: bytes in any pieces, the data of whole events out."""

from __future__ import annotations

import codecs
from typing import Final

#: Characters of one event. An answer's piece has some hundred; a stream without an end of lines must not fill memory.
MOST_CHARACTERS: Final = 1 << 20


class EventTooLongError(Exception):
    """An event has more than ``MOST_CHARACTERS``."""


class EventReader:
    """Joins pieces to events. Lines end with LF, CR or CRLF; a comment and every field but ``data`` is left out.

    A character cut in two by the pieces is joined; bytes that are no UTF-8 become U+FFFD. What follows the last empty
    line of a stream is no event.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._after_cr = False
        self._data: list[str] = []
        self._size = 0
        self._begun = False

    def feed(self, piece: bytes) -> list[str]:
        """The data of the events that this piece completes. Raises ``EventTooLongError``."""
        text = self._decoder.decode(piece)
        if not text:
            return []
        if not self._begun:
            self._begun = True
            text = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")  # one byte order mark at the start is allowed
        if self._after_cr:
            text = text.removeprefix("\n")  # the other half of a CRLF whose CR has ended its line
        self._after_cr = text.endswith("\r")
        lines = (self._rest + text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._rest = lines.pop()
        events = [data for line in lines if (data := self._line(line)) is not None]
        if self._size + len(self._rest) > MOST_CHARACTERS:
            raise EventTooLongError
        return events

    def _line(self, line: str) -> str | None:
        """The data of the event that an empty line ends; nothing for every other line."""
        if not line:
            data, self._data, self._size = self._data, [], 0
            return "\n".join(data) if data else None
        field, _, value = line.partition(":")
        if field == "data":
            self._data.append(value.removeprefix(" "))
            self._size += len(value)
        return None
