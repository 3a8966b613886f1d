"""Values with the fields of contract and environment that give them: what makes a variable file traceable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

#: A place in a variable file: ``("pools", "k3-block-a", "count")``.
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """``value`` (plain, or with ``Given`` inside) comes from these dotted fields, the main one first.

    A value without fields is a constant or a fact of hawser's own.
    """

    value: object
    fields: tuple[str, ...]


def given(value: object, *fields: str) -> Given:
    """``value``, as ``fields`` give it."""
    return Given(value, fields)


def given_list(values: Sequence[object], field: str) -> Given:
    """A list whose every item stands in the list ``field``, in the same order."""
    return Given([Given(value, (f"{field}.{index}",)) for index, value in enumerate(values)], (field,))


def given_map(values: Mapping[str, object], field: str) -> Given:
    """A map whose every entry stands in the map ``field``, under the same name."""
    return Given({name: Given(value, (f"{field}.{name}",)) for name, value in values.items()}, (field,))


def plain(node: object) -> object:
    """The value alone."""
    if isinstance(node, Given):
        return plain(node.value)
    if isinstance(node, Mapping):
        return {name: plain(value) for name, value in node.items()}
    if isinstance(node, list):
        return [plain(value) for value in node]
    return node


def fields_by_path(
    node: object, path: Path = (), fields: tuple[str, ...] = ()
) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """The fields of every value in ``node``, its tables and lists included; what is inside inherits them."""
    if isinstance(node, Given):
        yield from fields_by_path(node.value, path, node.fields)
        return
    yield path, fields
    if isinstance(node, Mapping):
        for name, value in node.items():
            yield from fields_by_path(value, (*path, str(name)), fields)
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from fields_by_path(value, (*path, index), fields)
