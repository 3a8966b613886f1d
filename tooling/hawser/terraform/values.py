"""Tri-state values: a planned value is known, unknown before apply, or absent; unknown is a type, not a string.

``after``, ``after_unknown`` and ``after_sensitive`` of a plan are three trees of the same shape. A ``Value`` is a
cursor over the three at once; nothing is copied until a rule asks for it, so that a large plan costs little.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final


class UndecidableError(Exception):
    """A rule needs a value that is unknown before apply. The engine turns it into the verdict *undecidable*."""

    def __init__(self, path: str) -> None:
        """``path`` is the attribute path whose value is not known."""
        super().__init__(path)
        self.path = path


class Unknown:
    """The type of a value that is known only after apply."""

    _only: Unknown | None = None

    def __new__(cls) -> Unknown:
        """There is one unknown: ``UNKNOWN``."""
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def __repr__(self) -> str:
        """Terraform's own words, which reviewers know."""
        return "(known after apply)"

    def __bool__(self) -> bool:
        """Neither true nor false: asking is a mistake of the caller."""
        raise TypeError("an unknown value has no truth; ask Value.is_unknown first")


UNKNOWN: Final = Unknown()
_MISSING: Final = object()
_new: Final = object.__new__


class Value:
    """A cursor into a planned value: its raw tree, the unknown marks and the sensitive marks.

    ``placeholders`` are strings that stand for values not final yet (speculative plans); they count as unknown.
    """

    __slots__ = ("_key", "_parent", "_path", "_placeholders", "_raw", "_sensitive", "_unknown")

    _parent: Value
    _key: str | int

    def __init__(
        self,
        raw: Any,
        unknown: Any = None,
        sensitive: Any = None,
        path: str = "",
        placeholders: frozenset[str] = frozenset(),
    ) -> None:
        """Marks are ``True`` for the whole value, or a tree of the shape of ``raw``, or nothing.

        Objects are plain ``dict``, as ``json`` makes them: to ask for a ``Mapping`` takes some six times as long, and
        for a large plan this is asked a hundred thousand times.
        """
        self._raw = raw
        self._unknown = unknown
        self._sensitive = sensitive
        self._path: str | None = path
        self._placeholders = placeholders

    @property
    def path(self) -> str:
        """The attribute path in Terraform's notation (``network_interfaces[0].subnet_id``).

        Put together when somebody asks: most values are only looked at.
        """
        if self._path is None:
            parent, key = self._parent.path, self._key
            self._path = f"{parent}[{key}]" if isinstance(key, int) else _join(parent, key)
        return self._path

    # -- what it is ---------------------------------------------------------------------------------------------

    @property
    def is_unknown(self) -> bool:
        """The whole value is known only after apply (or is a placeholder)."""
        if self._unknown is True:
            return True
        return bool(self._placeholders) and isinstance(self._raw, str) and self._holds_placeholder(self._raw)

    @property
    def has_unknown(self) -> bool:
        """Something inside is known only after apply."""
        return self.is_unknown or _any_mark(self._unknown) or self._deep_placeholder(self._raw)

    @property
    def is_missing(self) -> bool:
        """Not there at all, and not announced as unknown either."""
        return self._raw is _MISSING and self._unknown is not True

    @property
    def is_null(self) -> bool:
        """Known to be null, or missing."""
        return not self.is_unknown and (self._raw is None or self._raw is _MISSING)

    @property
    def is_sensitive(self) -> bool:
        """Terraform marks the whole value, or something in it, as sensitive."""
        return self._sensitive is True or _any_mark(self._sensitive)

    @property
    def present(self) -> bool:
        """There is or will be a value: known and neither null nor empty, or unknown. For presence rules."""
        if self._raw is _MISSING or self._raw in (None, "", [], {}):
            return _any_mark(self._unknown)  # also a map whose only key is announced as unknown
        return True

    @property
    def placeholders(self) -> frozenset[str]:
        """Strings that stand for values not final yet."""
        return self._placeholders

    # -- going in -----------------------------------------------------------------------------------------------

    def get(self, key: str | int) -> Value:
        """The child at a key or an index; a missing child is a ``Value`` that ``is_missing``."""
        # A plan of 5,000 resources asks this 200,000 times, nearly always for a name in an object without marks.
        raw, unknown, sensitive = self._raw, self._unknown, self._sensitive
        child = _new(Value)
        if type(raw) is dict and type(key) is str:
            child._raw = raw.get(key, _MISSING)
        elif type(raw) is list and type(key) is int and -len(raw) <= key < len(raw):
            child._raw = raw[key]
        else:
            child._raw = _MISSING
        child._unknown = _child_mark(unknown, key, raw) if unknown else None
        child._sensitive = _child_mark(sensitive, key, raw) if sensitive else None
        child._placeholders = self._placeholders
        child._path, child._parent, child._key = None, self, key
        return child

    def at(self, *keys: str | int) -> Value:
        """``value.at("scaling_config", 0, "max_size")``: several steps at once."""
        value = self
        for key in keys:
            value = value.get(key)
        return value

    def items(self) -> Iterator[tuple[str, Value]]:
        """Children of an object, sorted by key; also those that are only announced as unknown."""
        if self.is_unknown:
            raise UndecidableError(self.path)
        keys = set(self._raw) if isinstance(self._raw, dict) else set()
        if isinstance(self._unknown, dict):
            keys |= {k for k, mark in self._unknown.items() if mark is True}
        for key in sorted(keys):
            yield key, self.get(key)

    def elements(self) -> Iterator[Value]:
        """Elements of a list or set; nothing for null or missing. Raises ``UndecidableError`` when it is unknown.

        Marks pair with elements by index only when the lengths agree; otherwise nobody can say which element is
        unknown, and each counts as unknown.
        """
        if self.is_unknown:
            raise UndecidableError(self.path)
        if isinstance(self._raw, list) and self._raw:
            for index in range(len(self._raw)):
                yield self.get(index)
        elif _any_mark(self._unknown):
            raise UndecidableError(self.path)

    def without(self, keys: tuple[str, ...]) -> Value:
        """The same object without some of its keys."""
        raw, unknown = (dict(one) if isinstance(one, dict) else one for one in (self._raw, self._unknown))
        for key in keys:
            for one in (raw, unknown):
                if isinstance(one, dict):
                    one.pop(key, None)
        return Value(raw, unknown, self._sensitive, self.path, self._placeholders)

    # -- reading ------------------------------------------------------------------------------------------------

    def known(self) -> Any:
        """The plain value, ``None`` when missing. Raises ``UndecidableError`` when it or anything in it is unknown."""
        if self.has_unknown:
            raise UndecidableError(self.path)
        return None if self._raw is _MISSING else self._raw

    def raw(self) -> Any:
        """What the plan JSON holds, unknowns left out: for showing, never for judging."""
        return None if self._raw is _MISSING else self._raw

    def tree(self) -> Any:
        """The merged tree: plain values with ``UNKNOWN`` where the value is not known yet."""
        if self.is_unknown:
            return UNKNOWN
        if isinstance(self._raw, dict) or (self._raw is _MISSING and isinstance(self._unknown, dict)):
            return {key: value.tree() for key, value in self.items()}
        if isinstance(self._raw, list):
            if not self._raw and _any_mark(self._unknown):  # marks without elements to pair them with
                return UNKNOWN
            return [value.tree() for value in self.elements()]
        return None if self._raw is _MISSING else self._raw

    def __repr__(self) -> str:
        """Only the path: the value may be a secret."""
        return f"Value({self.path!r})"

    # -- placeholders -------------------------------------------------------------------------------------------

    def _holds_placeholder(self, text: str) -> bool:
        if text[:1] in "{[":  # a document: it is unknown in places, not as a whole
            return False
        return any(placeholder in text for placeholder in self._placeholders)

    def _deep_placeholder(self, raw: Any) -> bool:
        if not self._placeholders:
            return False
        if isinstance(raw, str):
            return any(placeholder in raw for placeholder in self._placeholders)
        if isinstance(raw, dict):
            return any(self._deep_placeholder(child) for child in raw.values())
        if isinstance(raw, list):
            return any(self._deep_placeholder(child) for child in raw)
        return False


MISSING: Final = Value(_MISSING)

_STEP: Final = re.compile(r'\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.\[\]]+)')


def steps(path: str) -> tuple[str | int, ...]:
    """The keys and indexes of a ``Value.path``: ``tags["a.b"][0].c`` is ``("tags", "a.b", 0, "c")``."""
    return tuple(
        int(index) if index else name or re.sub(r"\\(.)", r"\1", quoted) for quoted, index, name in _STEP.findall(path)
    )


def _join(path: str, key: str) -> str:
    if key.isidentifier() or (key and all(c.isalnum() or c in "-_/" for c in key)):
        return f"{path}.{key}" if path else key
    quoted = key.replace("\\", "\\\\").replace('"', '\\"')
    return f'{path}["{quoted}"]'


def _any_mark(mark: Any) -> bool:
    if mark is True:
        return True
    if isinstance(mark, dict):
        return any(_any_mark(child) for child in mark.values())
    if isinstance(mark, list):
        return any(_any_mark(child) for child in mark)
    return False


def _child_mark(mark: Any, key: str | int, raw: Any) -> Any:
    if type(mark) is dict and type(key) is str:
        return mark.get(key)
    if mark is True:
        return True
    if isinstance(mark, list) and isinstance(key, int):
        if isinstance(raw, list) and len(raw) != len(mark):
            return _any_mark(mark) or None
        return mark[key] if -len(mark) <= key < len(mark) else None
    return None
