"""Where the value of an attribute comes from: followed through locals, modules and resources to variables of the root.

What cannot be followed is said to be so (``unreadable``) and never guessed. When several variables go into a value, all
of them are named.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

from hawser.terraform.hcl import Block, Expression, Folder, read_folders
from hawser.terraform.stacks import folders_of, stack
from hawser.terraform.values import steps as steps_of

#: Modules, locals and resources that one value is followed through; real code has less than ten.
_DEPTH: Final = 60

_MODULE: Final = re.compile(r'module\.([A-Za-z_][\w-]*)(\[(?:"(?:[^"\\]|\\.)*"|\d+)\])?')

#: Functions that give back what is in their argument, at the same place in it.
_PASSING: Final = frozenset({"nonsensitive", "sensitive", "tolist", "tomap", "toset", "try", "coalesce", "jsonencode"})
#: Names that lead to no input: what they give is as good as a constant.
_NOT_FOLLOWED: Final = frozenset({"count", "path", "self", "terraform"})

#: The last step to a key of a map (or a member of a set) instead of to its value.
_KEY: Final = "\0key"

Step = str | int | None
Steps = tuple[Step, ...]
Kind = Literal["variable", "computed", "unreadable"]


@dataclass(frozen=True, slots=True)
class Source:
    """One end that a value was followed to.

    ``variable``: ``path`` leads into a variable of the root module; a step ``None`` is an element that only the apply
    (or nobody) can name. ``computed``: ``path`` is the address of a resource whose attribute no configuration writes.
    """

    kind: Kind
    path: Steps = ()


@dataclass(frozen=True, slots=True)
class Written:
    """Where an attribute (or its resource, with ``attribute`` false) is written, and what goes into its value.

    No sources: a constant.
    """

    file: str
    line: int
    attribute: bool
    sources: frozenset[Source]


#: A name that an expression may use (``each``, the iterator of a block, the names of a ``for``): steps -> sources.
_Names = Mapping[str, Callable[[Steps], frozenset[Source]]]


@dataclass(frozen=True)
class _Scope:
    """A module instance: its files, and the call that made it with the key of the instance (``None``: not known)."""

    folder: str
    call: Block | None = None
    parent: _Scope | None = None
    key: Step = None
    address: str = ""
    names: _Names = field(default_factory=dict, compare=False)


_NOTHING: Final[frozenset[Source]] = frozenset()
_UNREADABLE: Final = frozenset({Source("unreadable")})


class Provenance:
    """The sources of one stack, read once."""

    def __init__(self, folders: Mapping[str, Folder], root_folder: str) -> None:
        """``folders`` by path below the checkout; ``root_folder`` is the stack's own."""
        self._folders = folders
        self._root = _Scope(root_folder)

    def of(self, module_address: str, name: str, index: Step, steps: Steps) -> Written | None:
        """Where the attribute at ``steps`` of a resource (``aws_vpc.this``, ``data.aws_region.this``) is from.

        They may lead on into the JSON text of an attribute. No steps mean the resource as a whole: what its instance
        key, or that of its module, comes from.
        ``None`` when no file declares it.
        """
        scope = self._scope(module_address)
        block = self._folders[scope.folder].blocks.get(name) if scope else None
        if scope is None or block is None:
            return None
        names = self._each(block, index, scope, {})
        if not steps:
            return Written(block.file, block.line, False, self._instance(scope, names, index))
        found = list(self._written(block, steps, scope, names))
        if not found:
            return Written(block.file, block.line, False, frozenset({Source("computed", (name,))}))
        file, line, _ = found[0]
        return Written(file, line, True, frozenset().union(*(sources for _, _, sources in found)))

    def output(self, name: str, steps: Steps) -> frozenset[Source]:
        """What an output of the stack is made of."""
        return self._output(self._root, name, steps, _DEPTH)

    def default_tags(self, steps: Steps) -> Written | None:
        """Where a tag comes from that the provider gives every resource."""
        provider = self._folders[self._root.folder].blocks.get("provider.aws")
        if provider is None:
            return None
        found = list(self._written(provider, ("default_tags", "tags", *steps), self._root, {}))
        return Written(found[0][0], found[0][1], True, found[0][2]) if len(found) == 1 else None

    def declares(self, variable: str, file: str) -> bool:
        """Whether the stack declares a variable in the file of that name."""
        block = self._folders[self._root.folder].blocks.get(f"variable.{variable}")
        return block is not None and posixpath.basename(block.file) == file

    def _instance(self, scope: _Scope, names: _Names, index: Step) -> frozenset[Source]:
        """The innermost key in an address names the instance."""
        if isinstance(index, str) and "each" in names:
            return names["each"](("key",))
        inner: _Scope | None = scope
        while inner is not None and inner.call is not None and inner.parent is not None:
            if isinstance(inner.key, str):
                each = self._each(inner.call, inner.key, inner.parent, {})
                return each["each"](("key",)) if "each" in each else _NOTHING
            inner = inner.parent
        return _NOTHING

    # -- modules --------------------------------------------------------------------------------------------------

    def _scope(self, module_address: str) -> _Scope | None:
        scope: _Scope | None = self._root
        for name, index in _MODULE.findall(module_address):
            key = steps_of(index)[0] if index else None
            scope = self._child(scope, name, key) if scope else None
        return scope

    def _child(self, scope: _Scope, name: str, key: Step) -> _Scope | None:
        call = self._folders[scope.folder].blocks.get(f"module.{name}")
        source = call.attributes.get("source", (0, []))[1] if call else []
        if len(source) != 2 or not str(source[1]).startswith("."):
            return None
        folder = posixpath.normpath(posixpath.join(scope.folder, source[1]))
        if folder not in self._folders:
            return None
        return _Scope(folder, call, scope, key, f"{scope.address}module.{name}.")

    def _each(self, block: Block, key: Step, scope: _Scope, names: _Names) -> _Names:
        """``names`` and what ``each`` means in one instance of a resource or module call."""
        if "for_each" not in block.attributes:
            return names
        collection = block.attributes["for_each"][1]

        def each(steps: Steps) -> frozenset[Source]:
            if steps[:1] == ("key",):
                return self._follow(collection, (key, _KEY), scope, names, _DEPTH)
            return self._follow(collection, (key, *steps[1:]), scope, names, _DEPTH)

        return {**names, "each": each, _literal_name("each", "key"): lambda _: frozenset({Source("variable", (key,))})}

    def _output(self, scope: _Scope, name: str, steps: Steps, depth: int) -> frozenset[Source]:
        block = self._folders[scope.folder].blocks.get(f"output.{name}")
        if block is None or "value" not in block.attributes:
            return _UNREADABLE
        return self._follow(block.attributes["value"][1], steps, scope, {}, depth)

    # -- resources ------------------------------------------------------------------------------------------------

    def _written(
        self, block: Block, steps: Steps, scope: _Scope, names: _Names, depth: int = _DEPTH
    ) -> Iterator[tuple[str, int, frozenset[Source]]]:
        """Each place that writes the attribute; several when nobody can tell which of equal blocks is meant."""
        if not steps:
            yield block.file, block.line, self._whole(block, scope, names, depth)
            return
        name, rest = steps[0], steps[1:]
        if name in block.attributes:
            line, expression = block.attributes[str(name)]
            yield block.file, line, self._follow(expression, rest, scope, names, depth)
            return
        rest = rest[1:] if rest and isinstance(rest[0], int) else rest
        for inner in block.blocks:
            if inner.type == name:
                yield from self._written(inner, rest, scope, names, depth)
            elif inner.type == "dynamic" and inner.labels == (name,):
                for content in inner.blocks:
                    yield from self._written(content, rest, scope, self._iterator(inner, scope, names), depth)

    def _iterator(self, dynamic: Block, scope: _Scope, names: _Names) -> _Names:
        chosen = dynamic.attributes.get("iterator", (0, []))[1]
        name = str(chosen[1]) if chosen[:1] == ["ref"] else dynamic.labels[0]
        collection = dynamic.attributes.get("for_each", (0, ["opaque"]))[1]

        def item(steps: Steps) -> frozenset[Source]:
            inner = (_KEY,) if steps[:1] == ("key",) else steps[1:]
            return self._follow(collection, (None, *inner), scope, names, _DEPTH)

        return {**names, name: item}

    def _whole(self, block: Block, scope: _Scope, names: _Names, depth: int) -> frozenset[Source]:
        found = _NOTHING
        for name, (_, expression) in block.attributes.items():
            if name not in ("for_each", "count", "depends_on", "provider"):
                found |= self._follow(expression, (), scope, names, depth)
        for inner in block.blocks:
            if inner.type == "dynamic":
                for content in inner.blocks:
                    found |= self._whole(content, scope, self._iterator(inner, scope, names), depth)
            elif inner.type != "lifecycle":
                found |= self._whole(inner, scope, names, depth)
        return found

    def _resource(self, name: str, steps: Steps, scope: _Scope, depth: int) -> frozenset[Source]:
        """An attribute of another resource is what its configuration writes there; else nobody but AWS knows it."""
        block = self._folders[scope.folder].blocks.get(name)
        if block is None:
            return _UNREADABLE
        key: Step = None
        if "for_each" in block.attributes or "count" in block.attributes:
            key, steps = (steps[0], steps[1:]) if steps else (None, ())
        names = self._each(block, key, scope, {})
        if name.startswith("data."):
            return self._whole(block, scope, names, depth) if steps[:1] == ("json",) else _NOTHING
        found = [sources for _, _, sources in self._written(block, steps, scope, names, depth)] if steps else []
        if not found:
            return frozenset({Source("computed", (f"{scope.address}{name}",))})
        return frozenset().union(*found)

    # -- expressions ----------------------------------------------------------------------------------------------

    def _follow(
        self, expression: Expression, steps: Steps, scope: _Scope, names: _Names, depth: int
    ) -> frozenset[Source]:
        """What goes into the value at ``steps`` inside an expression."""
        if depth == 0:
            return _UNREADABLE
        reader = getattr(self, f"_follow_{expression[0]}", None)
        if reader is None:
            return _UNREADABLE
        found: frozenset[Source] = reader(expression, steps, scope, names, depth - 1)
        return found

    def _all(self, parts: list[Expression], scope: _Scope, names: _Names, depth: int) -> frozenset[Source]:
        return frozenset().union(*(self._follow(part, (), scope, names, depth) for part in parts))

    def _follow_const(self, *_: object) -> frozenset[Source]:
        return _NOTHING

    def _follow_any(
        self, expression: Expression, _: Steps, scope: _Scope, names: _Names, depth: int
    ) -> frozenset[Source]:
        return self._all(expression[1], scope, names, depth)

    def _follow_get(
        self, expression: Expression, steps: Steps, scope: _Scope, names: _Names, depth: int
    ) -> frozenset[Source]:
        taken, more = self._plain_steps(expression[2], scope, names, depth)
        return more | self._follow(expression[1], (*taken, *steps), scope, names, depth)

    def _follow_obj(
        self, expression: Expression, steps: Steps, scope: _Scope, names: _Names, depth: int
    ) -> frozenset[Source]:
        found = _NOTHING
        for key, value in expression[1]:
            if not steps or steps[0] is None or not isinstance(key, str):
                found |= self._follow(value, steps[1:], scope, names, depth)
            elif key == steps[0]:  # a key that is written is a constant, and no later one can stand for it
                return _NOTHING if steps[1:] == (_KEY,) else self._follow(value, steps[1:], scope, names, depth)
        return found

    def _follow_list(
        self, expression: Expression, steps: Steps, scope: _Scope, names: _Names, depth: int
    ) -> frozenset[Source]:
        items = expression[1]
        rest = () if steps[1:] == (_KEY,) else steps[1:]
        if steps and isinstance(steps[0], int) and steps[0] < len(items):
            return self._follow(items[steps[0]], rest, scope, names, depth)
        if steps and ["const", steps[0]] in items:
            return _NOTHING
        return frozenset().union(*(self._follow(item, rest, scope, names, depth) for item in items))

    def _follow_if(
        self, expression: Expression, steps: Steps, scope: _Scope, names: _Names, depth: int
    ) -> frozenset[Source]:
        """What is inside can only come from the branch that has an inside; the condition says whether it is there."""
        _, condition, *branches = expression
        if steps:
            filled = [branch for branch in branches if branch[0] != "const" and branch[1:] != [[]]]
            if len(filled) == 1:
                return self._follow(filled[0], steps, scope, names, depth)
        found = self._follow(condition, (), scope, names, depth)
        for branch in branches:
            found |= self._follow(branch, steps, scope, names, depth)
        return found

    def _follow_call(
        self, expression: Expression, steps: Steps, scope: _Scope, names: _Names, depth: int
    ) -> frozenset[Source]:
        _, function, arguments = expression
        follow = partial(self._follow, scope=scope, names=names, depth=depth)
        if function == "merge" and steps:
            return self._merged(arguments, steps, scope, names, depth)
        if function in _PASSING:
            return frozenset().union(*(follow(argument, steps) for argument in arguments))
        if function == "one":
            return follow(arguments[0], (None, *steps))
        if function == "values":
            return follow(arguments[0], (None, *steps[1:]))
        if function == "lookup":
            key, more = self._plain_steps([arguments[1]], scope, names, depth)
            return more | follow(arguments[0], (*key, *steps)) | self._all(arguments[2:], scope, names, depth)
        return self._all(arguments, scope, names, depth)

    def _merged(
        self, arguments: list[Expression], steps: Steps, scope: _Scope, names: _Names, depth: int
    ) -> frozenset[Source]:
        """The last argument that has the key gives its value."""
        found = _NOTHING
        for argument in reversed(arguments):
            found |= self._follow(argument, steps, scope, names, depth)
            if argument[0] == "obj" and any(key == steps[0] for key, _ in argument[1]):
                break
        return found

    def _follow_for(
        self, expression: Expression, steps: Steps, scope: _Scope, names: _Names, depth: int
    ) -> frozenset[Source]:
        _, key_name, value_name, collection, key, value = expression
        same = key is not None and steps and isinstance(steps[0], str) and key == ["ref", key_name, []]
        which: Step = steps[0] if same and steps else None

        def item(inner: Steps) -> frozenset[Source]:
            return self._follow(collection, (which, *inner), scope, names, depth)

        def item_key(_: Steps) -> frozenset[Source]:
            return self._follow(collection, (which, _KEY), scope, names, depth)

        bound: _Names = {**names, value_name: item} | ({key_name: item_key} if key_name else {})
        if steps[1:] == (_KEY,):
            return self._follow(value if key is None else key, (), scope, bound, depth)
        return self._follow(value, steps[1:], scope, bound, depth)

    def _follow_ref(
        self, expression: Expression, steps: Steps, scope: _Scope, names: _Names, depth: int
    ) -> frozenset[Source]:
        _, name, written = expression
        taken, more = self._plain_steps(written, scope, names, depth)
        return more | self._target(name, (*taken, *steps), scope, names, depth)

    def _target(self, name: str, steps: Steps, scope: _Scope, names: _Names, depth: int) -> frozenset[Source]:
        if name in names:
            return names[name](steps)
        if name in _NOT_FOLLOWED or not steps:
            return _NOTHING
        first, rest = str(steps[0]), steps[1:]
        if name == "var":
            return self._variable(first, rest, scope, depth)
        if name == "local":
            found = self._folders[scope.folder].locals.get(first)
            return self._follow(found[2], rest, scope, {}, depth) if found else _UNREADABLE
        if name == "module":
            return self._from_module(first, rest, scope, depth)
        if name == "data":
            return self._resource(f"data.{first}.{rest[0] if rest else ''}", rest[1:], scope, depth)
        return self._resource(f"{name}.{first}", rest, scope, depth)

    def _variable(self, name: str, steps: Steps, scope: _Scope, depth: int) -> frozenset[Source]:
        if scope.parent is None or scope.call is None:
            return frozenset({Source("variable", (name, *steps))})
        if name not in scope.call.attributes:
            return _NOTHING  # its default
        expression = scope.call.attributes[name][1]
        return self._follow(expression, steps, scope.parent, self._each(scope.call, scope.key, scope.parent, {}), depth)

    def _from_module(self, name: str, steps: Steps, scope: _Scope, depth: int) -> frozenset[Source]:
        call = self._folders[scope.folder].blocks.get(f"module.{name}")
        key: Step = None
        if call and ("for_each" in call.attributes or "count" in call.attributes) and steps:
            key, steps = steps[0], steps[1:]
        child = self._child(scope, name, key)
        if child is None or not steps:
            return _UNREADABLE
        return self._output(child, str(steps[0]), steps[1:], depth)

    def _plain_steps(
        self, written: list[Any], scope: _Scope, names: _Names, depth: int
    ) -> tuple[Steps, frozenset[Source]]:
        """Steps with every index that is an expression replaced: by the key where it is known, else by ``None``.

        What such an index depends on chooses the value, so it is a source of it too.
        """
        taken: list[Step] = []
        more = _NOTHING
        for step in written:
            if not isinstance(step, list):
                taken.append(step)
            elif step[0] == "const" and len(step) == 2:
                taken.append(step[1])
            elif step[:1] == ["ref"] and _literal_name(step[1], *step[2]) in names:
                (key,) = names[_literal_name(step[1], *step[2])](())
                taken.append(key.path[0])
            else:
                taken.append(None)
                more |= self._follow(step, (), scope, names, depth)
        return tuple(taken), more


def _literal_name(*parts: object) -> str:
    """Under this name stands what is known of ``each.key``: the key itself."""
    return "=" + ".".join(str(part) for part in parts)


def read_provenance(root: Path, name: str, cache: Path) -> Provenance:
    """The sources of the stack ``name`` in the checkout at ``root``; ``cache`` keeps what python-hcl2 read."""
    folders = folders_of(stack(root, name))
    return Provenance(read_folders(root.resolve(), folders, cache), f"terraform/{name}")
