"""Strict YAML: every value keeps its line and column, and whatever YAML could read in two ways is refused.

Built on the parser of PyYAML alone: its events, not its constructors. So nothing in a file can name a Python type, and
a plain scalar never changes its meaning silently (``012345670123`` is not a number, ``NO`` is not false).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from hawser.contract.deployment import Place
from hawser.contract.problems import Problem, shown

#: Largest file in bytes; a contract has about 3 KiB.
LARGEST_BYTES: Final = 1 << 20
#: Deepest nesting; a contract has 4 levels.
DEEPEST: Final = 50
#: Most values in a file; a contract has about 100.
MOST_VALUES: Final = 5000

_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

#: Tabs, and what YAML does not allow as a character.
_UNWANTED: Final = re.compile("[^\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
#: Characters that are not seen, and those that turn the direction of what follows: a reviewer reads something else than
#: what stands there (Unicode 16, default ignorable and bidirectional formatting characters).
_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\U000e0000-\U000e0fff]"
)

_INTEGER: Final = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_DECIMAL: Final = re.compile(r"-?(0|[1-9][0-9]{0,17})\.[0-9]{1,18}")
#: Plain scalars that some YAML reader takes for something else than text, and what it takes them for.
_AMBIGUOUS: Final = tuple(
    (re.compile(pattern), meaning)
    for pattern, meaning in (
        (r"|~|null|Null|NULL", "nothing"),
        (r"(?i:y|n|yes|no|on|off|true|false)", "true or false"),
        (r"[-+]?[0-9][0-9_]*", "a number"),
        (r"[-+]?0[xob][0-9a-fA-F_]+", "a number"),
        (r"[-+]?(\.[0-9_]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9]+)?", "a number"),
        (r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", "a number"),
        (r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?", "a number in base 60"),
        (r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?", "a date"),
        (r"<<|=", "an instruction to YAML"),
    )
)


@dataclass(frozen=True, slots=True)
class Untyped:
    """A plain scalar that is not text, true, false or a decimal number for certain. No field accepts it."""

    text: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar as written; ``quoted`` covers block scalars too."""

    place: Place
    text: str
    quoted: bool

    def plain(self) -> object:
        """The value: text, true, false, a number, or ``Untyped``."""
        if self.quoted:
            return self.text
        if self.text in {"true", "false"}:
            return self.text == "true"
        if _INTEGER.fullmatch(self.text):
            return int(self.text)
        if _DECIMAL.fullmatch(self.text):
            return float(self.text)
        for pattern, meaning in _AMBIGUOUS:
            if pattern.fullmatch(self.text):
                return Untyped(self.text, meaning)
        return self.text


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    place: Place
    nodes: list[Node] = field(default_factory=list)

    def plain(self) -> object:
        """The values as a list."""
        return [node.plain() for node in self.nodes]


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping: name to (place of the name, value)."""

    place: Place
    entries: dict[str, tuple[Place, Node]] = field(default_factory=dict)

    def plain(self) -> dict[str, object]:
        """The values as a dictionary."""
        return {name: node.plain() for name, (_, node) in self.entries.items()}


@dataclass(frozen=True, slots=True)
class Broken:
    """A value that was refused while reading; its problem is already told."""

    place: Place

    def plain(self) -> object:
        """Itself: no field accepts it."""
        return self


Node = Scalar | Items | Table | Broken


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read: its name for messages, its content, and what is wrong with it as YAML."""

    file: str
    root: Table | None
    problems: tuple[Problem, ...]


def read_source(path: Path, file: str) -> Source:
    """Read and parse ``path``; ``file`` is its name for messages. Never raises: what is wrong is in ``problems``."""

    def refuse(found: str, expected: str, fix: str) -> Source:
        return Source(file, None, (Problem(Place(file, 1), "", found, expected, fix),))

    try:
        if not path.is_file():
            return refuse("no such file", "a YAML file", f"create {file}")
        if (size := path.stat().st_size) > LARGEST_BYTES:
            return refuse(f"{size} bytes", f"at most {LARGEST_BYTES} bytes", "keep only the fields of the schema in it")
        data = path.read_bytes()
    except OSError as error:
        return refuse(f"a file that cannot be read ({error.strerror})", "a readable file", "check its permissions")
    return parse(data, file)


def parse(data: bytes, file: str) -> Source:
    """Parse the bytes of a file; ``file`` is its name for messages. Never raises."""
    reader = _Reader(file)
    root = reader.read(data)
    return Source(file, root, tuple(reader.problems))


def walk(table: Table, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Place, Node]]:
    """Every named value and list item below ``table``: its path, the place of its name (or item), its node."""
    for name, (place, node) in table.entries.items():
        yield from _walk_node((*path, name), place, node)


def _walk_node(path: tuple[str, ...], place: Place, node: Node) -> Iterator[tuple[tuple[str, ...], Place, Node]]:
    yield path, place, node
    if isinstance(node, Table):
        yield from walk(node, path)
    elif isinstance(node, Items):
        for index, item in enumerate(node.nodes):
            yield from _walk_node((*path, str(index)), item.place, item)


def _dotted(path: tuple[str, ...]) -> str:
    return ".".join(shown(part) for part in path)


class _StopReadingError(Exception):
    """What follows in this file cannot be read."""


class _Reader:
    """Turns the events of one file into nodes and collects what is wrong."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self._events: Iterator[Any] = iter(())
        self._values = 0

    def read(self, data: bytes) -> Table | None:
        try:
            text = self._decode(data)
            self._refuse_characters(text)
            self._events = iter(yaml.parse(text, Loader=_Loader))
            return self._document()
        except _StopReadingError:
            return None
        except yaml.YAMLError as error:
            self._syntax(error)
            return None

    # --- bytes ---------------------------------------------------------------------------------------------------

    def _decode(self, data: bytes) -> str:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:4]:
            self._say(Place(self.file, 1), "", "UTF-16 or UTF-32", "UTF-8", "save the file as UTF-8")
            raise _StopReadingError
        data = data.removeprefix(b"\xef\xbb\xbf")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            before = data[: error.start]
            column = len(before.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1
            place = Place(self.file, before.count(b"\n") + 1, column)
            self._say(place, "", f"byte 0x{data[error.start]:02x}", "UTF-8", "save the file as UTF-8, not Latin-1")
            raise _StopReadingError from error

    def _refuse_characters(self, text: str) -> None:
        if not _UNWANTED.search(text) and not _UNSEEN.search(text):
            return
        for number, line in enumerate(text.split("\n"), 1):
            if found := _UNWANTED.search(line) or _UNSEEN.search(line):
                place = Place(self.file, number, found.start() + 1)
                if found[0] == "\t":
                    self._say(place, "", "a tab", "spaces", "replace the tab by spaces")
                else:
                    self._say(place, "", f"the character U+{ord(found[0]):04X}", "text that can be seen", "remove it")
        raise _StopReadingError

    def _syntax(self, error: yaml.YAMLError) -> None:
        mark = getattr(error, "problem_mark", None)
        said = getattr(error, "problem", None) or getattr(error, "reason", None) or "no YAML"
        place = Place(self.file, mark.line + 1, mark.column + 1) if mark else Place(self.file, 1)
        fix = "mend the syntax: look for a missing quote, bracket or space after a colon"
        self._say(place, "", shown(str(said)), "YAML", fix)

    # --- events --------------------------------------------------------------------------------------------------

    def _document(self) -> Table | None:
        self._next()  # start of the stream
        if isinstance(self._next(), yaml.StreamEndEvent):
            self._say(Place(self.file, 1), "", "an empty file", "fields", "write the fields of the schema into it")
            return None
        event = self._next()
        root = self._node(event, (), 1)
        self._next()  # end of the document
        event = self._next()
        if not isinstance(event, yaml.StreamEndEvent):
            self._say(self._place(event), "", "a second document", "one document", "remove it, and the line `---`")
        if not isinstance(root, Table):
            if not isinstance(root, Broken):
                self._say(root.place, "", "no names", "`name: value` lines", "write the fields of the schema into it")
            return None
        return root

    def _node(self, event: Any, path: tuple[str, ...], depth: int) -> Node:
        place = self._place(event)
        self._values += 1
        if self._values > MOST_VALUES:
            self._say(place, "", f"more than {MOST_VALUES} values", "fewer", "keep only the fields of the schema in it")
            raise _StopReadingError
        if depth > DEEPEST:
            self._say(place, "", f"more than {DEEPEST} levels", "fewer", "keep only the fields of the schema in it")
            raise _StopReadingError
        if isinstance(event, yaml.AliasEvent):
            self._refuse_reference(place, path, f"an alias (*{shown(str(event.anchor))})", "repeat the value here")
            return Broken(place)
        if event.anchor is not None:
            self._refuse_reference(place, path, f"an anchor (&{shown(event.anchor)})", "remove the anchor")
        if event.tag is not None:
            self._say(place, _dotted(path), f"the tag {shown(event.tag)}", "no tag", "remove it; quote text instead")
        node = self._value(event, place, path, depth)
        return Broken(place) if event.tag is not None else node

    def _value(self, event: Any, place: Place, path: tuple[str, ...], depth: int) -> Node:
        if isinstance(event, yaml.ScalarEvent):
            if found := _UNWANTED.search(event.value) or _UNSEEN.search(event.value):  # written as an escape
                what = f"the character U+{ord(found[0]):04X}"
                self._say(place, _dotted(path), what, "text that can be seen", "remove it")
                return Broken(place)
            return Scalar(place, event.value, bool(event.style))
        if isinstance(event, yaml.SequenceStartEvent):
            items = Items(place)
            while not isinstance(event := self._next(), yaml.SequenceEndEvent):
                items.nodes.append(self._node(event, (*path, str(len(items.nodes))), depth + 1))
            return items
        table = Table(place)
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            self._entry(table, event, path, depth)
        return table

    def _entry(self, table: Table, event: Any, path: tuple[str, ...], depth: int) -> None:
        key = self._node(event, path, depth + 1)
        name = key.plain()
        if not isinstance(name, str):
            self._refuse_key(key, path)
            self._node(self._next(), path, depth + 1)
            return
        value = self._node(self._next(), (*path, name), depth + 1)
        if name not in table.entries:
            table.entries[name] = (key.place, value)
            return
        first = table.entries[name][0].line
        whole = _dotted((*path, name))
        self._say(key.place, whole, f"the key again (first in line {first})", "each key once", "remove one of the two")

    def _refuse_key(self, key: Node, path: tuple[str, ...]) -> None:
        if isinstance(key, Broken):
            return
        if isinstance(key, Scalar):
            if key.text == "<<":
                self._refuse_reference(key.place, path, "a merge key (<<)", "repeat the values here")
                return
            found = f"the key {shown(key.text) or '(empty)'}, which YAML does not read as text"
            self._say(key.place, _dotted(path), found, "a key that is text", f'write it in quotes: "{shown(key.text)}"')
            return
        self._say(key.place, _dotted(path), "a list or mapping as a key", "a key that is text", "give it a name")

    def _refuse_reference(self, place: Place, path: tuple[str, ...], found: str, fix: str) -> None:
        why = "A reader of one line must see its value there: with references, a change far away changes it unseen."
        self._say(place, _dotted(path), found, "every value written where it is used", fix, why)

    def _next(self) -> Any:
        return next(self._events)

    def _place(self, event: Any) -> Place:
        return Place(self.file, event.start_mark.line + 1, event.start_mark.column + 1)

    def _say(self, place: Place, path: str, found: str, expected: str, fix: str, why: str = "") -> None:
        self.problems.append(Problem(place, path, found, expected, fix, why))
