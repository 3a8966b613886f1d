"""Compares a parsed file with its pydantic model and says what is wrong, field by field, with places."""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final, Union, get_args, get_origin

from pydantic import BaseModel, StringConstraints, ValidationError

from hawser.contract.deployment import Place
from hawser.contract.load import Broken, Items, Node, Scalar, Table, Untyped
from hawser.contract.problems import Problem, nearest, shown
from hawser.contract.wording import WORDING, Wording

_NO_WORDING: Final = Wording("text", "write the value in quotes")
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """What is wrong, and the paths of the fields that must not be used because of it."""

    problems: tuple[Problem, ...]
    bad: frozenset[Path]


def check_shape(model: type[BaseModel], root: Table) -> Shape:
    """Every difference between ``root`` and ``model``. Fields already refused while reading are left out."""
    try:
        model.model_validate(root.plain())
    except ValidationError as error:
        errors = [(tuple(str(part) for part in e["loc"]), e["type"], e.get("ctx", {})) for e in error.errors()]
    else:
        return Shape((), frozenset())
    near = _misspelt(model, root, [path for path, kind, _ in errors if kind == "extra_forbidden"])
    problems: list[Problem] = []
    for path, kind, context in errors:
        if kind == "missing" and path in near.values():
            continue  # the misspelt name is told; that the right one is missing follows from it
        problems += _problems(model, root, path, kind, context, near)
    return Shape(tuple(problems), frozenset(path[:-1] if path[-1] == "[key]" else path for path, _, _ in errors))


def _misspelt(model: type[BaseModel], root: Table, unknown: list[Path]) -> dict[Path, Path]:
    """Unknown path -> the path that was probably meant: a name of the model that is not there yet."""
    found = {}
    for path in unknown:
        parent, _ = _find(root, path[:-1])
        there = set(parent.entries) if isinstance(parent, Table) else set()
        if name := nearest(path[-1], set(_names(model, path[:-1])) - there):
            found[path] = (*path[:-1], name)
    return found


def _problems(
    model: type[BaseModel], root: Table, path: Path, kind: str, context: dict[str, Any], near: dict[Path, Path]
) -> Iterator[Problem]:
    is_key = path[-1] == "[key]"
    if is_key:
        path = path[:-1]
    node, key_place = _find(root, path)
    dotted = ".".join(shown(part) for part in path)
    if kind == "missing":
        fix = f"add the line `{path[-1]}: …`"
        yield Problem(key_place, dotted, "nothing", "this field", fix)
    elif isinstance(node, Broken):
        return
    elif kind == "extra_forbidden":
        names = _names(model, path[:-1])
        fix = f"rename it to {near[path][-1]}" if path in near else f"remove it; known here: {', '.join(names)}"
        yield Problem(key_place, dotted, "an unknown name", "a name of the schema", fix)
    elif is_key:
        wording = WORDING.get(context.get("pattern", ""), _NO_WORDING)
        yield Problem(key_place, dotted, f"the name {shown(path[-1])}", wording.expected, wording.fix, wording.why)
    else:
        assert node is not None
        place = node.place if isinstance(node, Scalar) else key_place
        wording = _wording(model, path, kind, context)
        found, fix = _describe(node, path[-1]), wording.fix
        value = node.plain()
        if kind == "string_type" and isinstance(node, Scalar) and node.text:
            meaning = value.meaning if isinstance(value, Untyped) else _meaning(value)
            found, fix = f"{found} without quotes, which YAML reads as {meaning}", f'write it in quotes: "{found}"'
        yield Problem(place, dotted, found, wording.expected, fix, wording.why)


def _wording(model: type[BaseModel], path: Path, kind: str, context: dict[str, Any]) -> Wording:
    """What is expected at ``path``, for a pydantic error of ``kind``."""
    if kind in {"string_type", "string_pattern_mismatch"}:
        return WORDING.get(context.get("pattern") or _pattern(model, path), _NO_WORDING)
    if kind == "literal_error":
        return Wording(f"one of {', '.join(_choices(model, path))}", "choose one of them")
    if kind in {"greater_than_equal", "less_than_equal"}:
        limit = context.get("ge", context.get("le"))
        side = "at least" if "ge" in context else "at most"
        return Wording(f"{side} {limit}", "change the number")
    fixed = {
        "int_type": Wording("a whole number", "write digits only, without quotes"),
        "float_type": Wording("a number", "write it with a decimal point, without quotes"),
        "bool_type": Wording("true or false", "write true or false, without quotes"),
        "list_type": Wording("a list", "write it as [a, b] or as lines that begin with -"),
        "too_short": Wording("at least one entry", "add one"),
        "string_too_long": Wording("at most 2048 characters", "shorten it"),
    }
    return fixed.get(kind, Wording("`name: value` lines", "write its fields below it, indented"))


def _describe(node: Node, name: str) -> str:
    if isinstance(node, Scalar):
        return shown(node.text, name=name) or "nothing"
    if isinstance(node, Items):
        return "a list" if node.nodes else "an empty list"
    return "a mapping" if isinstance(node, Table) and node.entries else "an empty mapping"


def _meaning(value: object) -> str:
    return "true or false" if isinstance(value, bool) else "a number"


def _find(root: Table, path: Path) -> tuple[Node | None, Place]:
    """The node at ``path`` and the place of its name; for a missing one, the place of what should hold it."""
    node: Node | None = root
    place = Place(root.place.file, 1)
    for part in path:
        if isinstance(node, Table) and part in node.entries:
            place, node = node.entries[part]
        elif isinstance(node, Items) and part.isdecimal() and int(part) < len(node.nodes):
            node = node.nodes[int(part)]
            place = node.place
        else:
            return None, place
    return node, place


# --- the models, walked by path ----------------------------------------------------------------------------------


def _annotation(model: type[BaseModel], path: Path) -> Any:
    """The annotation of the field at ``path``, with its metadata; nothing when the path leaves the models."""
    found: Any = model
    for part in path:
        bare = _bare(found)
        if isinstance(bare, type) and issubclass(bare, BaseModel):
            field = bare.model_fields.get(part)
            if field is None:
                return None
            found = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
        elif get_origin(bare) in {dict, list}:
            found = get_args(bare)[-1]
        else:
            return None
    return found


def _bare(annotation: Any) -> Any:
    """Without ``Annotated`` and ``| None``."""
    if get_origin(annotation) is Annotated:
        return _bare(get_args(annotation)[0])
    if get_origin(annotation) in {Union, types.UnionType}:
        return _bare(next(a for a in get_args(annotation) if a is not type(None)))
    return annotation


def _names(model: type[BaseModel], path: Path) -> tuple[str, ...]:
    bare = _bare(_annotation(model, path))
    return tuple(bare.model_fields) if isinstance(bare, type) and issubclass(bare, BaseModel) else ()


def _choices(model: type[BaseModel], path: Path) -> tuple[str, ...]:
    return get_args(_bare(_annotation(model, path)))


def _pattern(model: type[BaseModel], path: Path) -> str:
    """The pattern of a text field, ``""`` when it has none."""
    pending = [_annotation(model, path)]
    while pending:
        annotation = pending.pop()
        if isinstance(annotation, StringConstraints) and annotation.pattern is not None:
            return str(annotation.pattern)
        if get_origin(annotation) in {Annotated, Union, types.UnionType}:
            pending += get_args(annotation)
            pending += getattr(annotation, "__metadata__", ())
    return ""
