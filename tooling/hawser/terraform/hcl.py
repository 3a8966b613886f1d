"""Terraform files as blocks with lines and as expressions that can be followed, read with python-hcl2.

A plan knows neither lines nor locals, and of an object that is passed to a module only which references are somewhere
in it. What decides where a value comes from stands in the files alone.

An expression is a list whose first item names its kind:

- ``["const"]``, or ``["const", text]``: nothing is referred to.
- ``["opaque"]``: a template that is not read; it may refer to anything.
- ``["ref", name, steps]``: ``var.pools["a"].count`` is ``["ref", "var", ["pools", "a", "count"]]``. A step is a name,
  an index, an expression (an index that is one), or ``None`` (each item: a splat).
- ``["get", expression, steps]``: steps into anything that is no reference.
- ``["obj", [[key, expression], …]]``: a key is a text, or an expression. ``["list", [expression, …]]``.
- ``["if", condition, then, otherwise]``, ``["call", function, [argument, …]]``.
- ``["for", key name, value name, collection, key, value]``: ``key`` is ``None`` where a list is made.
- ``["any", [expression, …]]``: made of all of them (templates, operators).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hawser.files import write_atomically

Expression = list[Any]

_CONST: Final[Expression] = ["const"]
_OPAQUE: Final[Expression] = ["opaque"]
#: Of the stored form: another number, and everything is read anew.
_VERSION: Final = "1"


@dataclass(frozen=True, slots=True)
class Block:
    """A block: ``type`` and ``labels``, the line it begins in, attributes by name with their line, and inner blocks."""

    file: str
    line: int
    type: str
    labels: tuple[str, ...]
    attributes: Mapping[str, tuple[int, Expression]]
    blocks: tuple[Block, ...]

    @property
    def key(self) -> str:
        """What it is referred to by: ``aws_vpc.this``, ``data.aws_region.this``, ``module.pool``, ``output.id``."""
        if self.type == "resource":
            return ".".join(self.labels)
        return ".".join((self.type, *self.labels))


@dataclass(frozen=True)
class Folder:
    """A module's files: its blocks by key, and its locals by name with file and line."""

    blocks: Mapping[str, Block] = field(default_factory=dict)
    locals: Mapping[str, tuple[str, int, Expression]] = field(default_factory=dict)


def read_folders(root: Path, folders: Iterable[Path], cache: Path) -> Mapping[str, Folder]:
    """The modules in ``folders`` by their path below ``root``; files are named by theirs.

    python-hcl2 needs seconds, so what was read is kept in the file ``cache`` under the digest of each file. A file that
    it cannot read counts as empty: then nothing is known of what stands in it.
    """
    known = _load(cache)
    used: dict[str, Any] = {}
    found = {}
    for folder in folders:
        blocks: list[Block] = []
        for file in sorted(folder.glob("*.tf")):
            content = file.read_bytes()
            digest = hashlib.sha256(content).hexdigest()
            used[digest] = known[digest] if digest in known else _stored(content)
            name = file.relative_to(root).as_posix()
            blocks += [_block(name, entry) for entry in used[digest]]
        found[folder.relative_to(root).as_posix()] = Folder(
            {block.key: block for block in blocks if block.type != "locals"},
            {
                name: (block.file, line, expression)
                for block in blocks
                if block.type == "locals"
                for name, (line, expression) in block.attributes.items()
            },
        )
    if used.keys() - known.keys():
        text = json.dumps({"version": _VERSION, "files": known | used}, separators=(",", ":"), sort_keys=True)
        write_atomically(cache, text.encode())
    return found


def _load(cache: Path) -> dict[str, Any]:
    try:
        kept = json.loads(cache.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    files = kept.get("files") if isinstance(kept, dict) and kept.get("version") == _VERSION else None
    return files if isinstance(files, dict) else {}


def _block(file: str, entry: Mapping[str, Any]) -> Block:
    return Block(
        file,
        entry["line"],
        entry["type"],
        tuple(entry["labels"]),
        {name: (line, expression) for name, (line, expression) in entry["attributes"].items()},
        tuple(_block(file, inner) for inner in entry["blocks"]),
    )


# -- reading -----------------------------------------------------------------------------------------------------------


def _stored(content: bytes) -> list[Any]:
    import hcl2

    try:
        tree = hcl2.parses_to_tree(content.decode("utf-8"))
    except Exception:  # whatever its grammar does not know; terraform has read the file, so it is not the user's fault
        return []
    return _body(tree.children[0])["blocks"]  # type: ignore[no-any-return]


def _body(tree: Any) -> dict[str, Any]:
    attributes: dict[str, Any] = {}
    blocks: list[Any] = []
    for node in _trees(tree):
        if node.data == "attribute":
            name, expression = _trees(node)
            attributes[_text(name)] = [name.meta.line, _expression(expression)]
        elif node.data == "block":
            type_, *labels = [child for child in _trees(node) if child.data != "body"]
            (body,) = (child for child in _trees(node) if child.data == "body")
            inner = _body(body)
            named = {"type": _text(type_), "labels": [_text(label) for label in labels], "line": type_.meta.line}
            blocks.append(named | inner)
    return {"attributes": attributes, "blocks": blocks}


def _trees(node: Any) -> list[Any]:
    """The children that are rules; tokens, comments and ends of lines are left out."""
    return [child for child in node.children if hasattr(child, "data") and child.data != "new_line_or_comment"]


def _tokens(node: Any) -> Iterator[Any]:
    for child in node.children:
        if hasattr(child, "data"):
            yield from _tokens(child)
        else:
            yield child


def _text(node: Any) -> str:
    return "".join(str(token) for token in _tokens(node)).strip().strip('"')


def _expression(node: Any) -> Expression:
    reader = _READERS.get(node.data)
    if reader is not None:
        return reader(node)
    inner = [_expression(child) for child in _trees(node)]
    return _any(inner)


def _any(parts: list[Expression]) -> Expression:
    parts = [part for part in parts if part[0] != "const"]
    if len(parts) <= 1:
        return parts[0] if parts else _CONST
    return ["any", parts]


def _term(node: Any) -> Expression:
    (inner,) = _trees(node)
    return _expression(inner)


def _string(node: Any) -> Expression:
    parts = []
    for part in _trees(node):
        for inner in _trees(part):
            if inner.data != "interpolation":
                return _OPAQUE  # a directive: %{ if … }
            (expression,) = _trees(inner)
            parts.append(_expression(expression))
    if len(parts) == 1 and len(node.children) == 3:  # "${x}" is x, between its quotes
        return parts[0]
    return ["any", parts] if parts else ["const", _text(node)]


def _heredoc(node: Any) -> Expression:
    text = _text(node)
    return _OPAQUE if "${" in text or "%{" in text else _CONST


def _stepped(base: Expression, steps: list[Any]) -> Expression:
    if base[0] in ("ref", "get"):
        return [base[0], base[1], [*base[2], *steps]]
    return ["get", base, steps]


def _index(node: Any) -> Any:
    if node.data == "short_index":
        return int(_text(node).lstrip("."))
    (inner,) = _trees(node)
    literal = _literal(inner)
    return literal if literal is not None else _expression(inner)


def _literal(node: Any) -> str | int | None:
    """The text or number that an expression simply is."""
    while node.data == "expr_term" and len(_trees(node)) == 1:
        (node,) = _trees(node)
    if node.data == "int_lit":
        return int(_text(node))
    if node.data == "string" and not any(_trees(part) for part in _trees(node)):
        return _text(node)
    return None


def _get_attr(node: Any) -> Expression:
    base, name = _trees(node)
    return _stepped(_expression(base), [_text(name).lstrip(".")])


def _index_term(node: Any) -> Expression:
    base, index = _trees(node)
    return _stepped(_expression(base), [_index(index)])


def _splat(node: Any) -> Expression:
    base, splat = _trees(node)
    steps = [_text(step).lstrip(".") if step.data == "get_attr" else _index(step) for step in _trees(splat)]
    return _stepped(_expression(base), [None, *steps])


def _object(node: Any) -> Expression:
    entries = []
    for element in _trees(node):
        key, value = _trees(element)
        (inner,) = _trees(key)
        while inner.data == "expr_term" and len(_trees(inner)) == 1 and inner.children[0] == _trees(inner)[0]:
            (inner,) = _trees(inner)
        name = _text(inner) if inner.data in ("identifier", "keyword") else _literal(inner)
        entries.append([name if isinstance(name, str) else _expression(inner), _expression(value)])
    return ["obj", entries]


def _for(node: Any) -> Expression:
    intro, *rest = _trees(node)
    *names, collection = _trees(intro)
    key_name, value_name = (_text(names[0]), _text(names[1])) if len(names) == 2 else (None, _text(names[0]))
    made = [_expression(child) for child in rest if child.data != "for_cond"]
    key, value = made if len(made) == 2 else (None, made[0])
    return ["for", key_name, value_name, _expression(collection), key, value]


def _call(node: Any) -> Expression:
    name, *rest = _trees(node)
    arguments = [_expression(one) for group in rest if group.data == "arguments" for one in _trees(group)]
    return ["call", _text(name), arguments]


_READERS: Final = {
    "expr_term": _term,
    "literal_value": lambda node: _CONST,
    "int_lit": lambda node: _CONST,
    "float_lit": lambda node: _CONST,
    "string": _string,
    "template_string": lambda node: _OPAQUE,
    "heredoc_template": _heredoc,
    "heredoc_template_trim": _heredoc,
    "identifier": lambda node: ["ref", _text(node), []],
    "get_attr_expr_term": _get_attr,
    "index_expr_term": _index_term,
    "attr_splat_expr_term": _splat,
    "full_splat_expr_term": _splat,
    "tuple": lambda node: ["list", [_expression(child) for child in _trees(node)]],
    "object": _object,
    "conditional": lambda node: ["if", *(_expression(child) for child in _trees(node))],
    "function_call": _call,
    "for_tuple_expr": _for,
    "for_object_expr": _for,
}
