"""Typed view of a plan JSON (``terraform show -json``), and the check that it can be judged at all.

Nothing here touches terraform. Every way in which a file is not a complete, current plan ends in
``CannotJudgeError`` with one sentence; a file that is fit becomes a ``Plan``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

from hawser.errors import CannotJudgeError
from hawser.terraform.values import MISSING, Value

#: The plan format that this code was written for: Terraform 1.11 prints "1.2" (seen 2026-11-30).
KNOWN_FORMAT: Final = (1, 2)


class Action(StrEnum):
    """What happens to a resource instance."""

    CREATE = "create"
    READ = "read"
    UPDATE = "update"
    REPLACE = "replace"
    DELETE = "delete"
    FORGET = "forget"
    NO_OP = "no-op"


_ACTIONS: Final[dict[tuple[str, ...], Action]] = {
    ("no-op",): Action.NO_OP,
    ("create",): Action.CREATE,
    ("read",): Action.READ,
    ("update",): Action.UPDATE,
    ("delete",): Action.DELETE,
    ("forget",): Action.FORGET,
    ("delete", "create"): Action.REPLACE,
    ("create", "delete"): Action.REPLACE,
    ("create", "forget"): Action.REPLACE,
}

#: Terraform's action_reason in the words its own output uses.
REASONS: Final[Mapping[str, str]] = {
    "replace_because_tainted": "tainted: an earlier create failed half way",
    "replace_because_cannot_update": "the provider cannot change it in place",
    "replace_by_request": "replacement was asked for",
    "replace_by_triggers": "replace_triggered_by",
    "delete_because_no_resource_config": "no longer in the configuration",
    "delete_because_wrong_repetition": "count or for_each was added or removed",
    "delete_because_count_index": "index is out of range for count",
    "delete_because_each_key": "its key is no longer in the for_each map",
    "delete_because_no_module": "its module is no longer in the configuration",
    "delete_because_no_move_target": "moved to an address that does not exist",
    "read_because_config_unknown": "its configuration depends on values known after apply",
    "read_because_dependency_pending": "it depends on a resource with pending changes",
    "read_because_check_nested": "it belongs to a check block",
}


@dataclass(frozen=True)
class Change:
    """One entry of ``resource_changes``.

    ``before`` and ``after`` are tri-state cursors; ``before`` of a create and ``after`` of a delete are null.
    ``replace_paths`` are attribute paths in Terraform's notation.
    """

    address: str
    module_address: str
    mode: str
    type: str
    name: str
    index: str | int | None
    provider: str
    action: Action
    actions: tuple[str, ...]
    reason: str
    replace_paths: tuple[str, ...]
    before: Value
    after: Value
    previous_address: str | None = None
    importing: bool = False
    deposed: str | None = None

    @property
    def changes(self) -> bool:
        """Whether the plan does something to it (a move or an import alone does not)."""
        return self.action not in (Action.NO_OP, Action.READ)

    @property
    def goes_away(self) -> bool:
        """The present object ends: deleted, replaced, or no longer managed."""
        return self.action in (Action.DELETE, Action.REPLACE, Action.FORGET)

    @property
    def planned(self) -> bool:
        """There will be an object after the apply."""
        return self.action not in (Action.DELETE, Action.FORGET)

    def at_rest(self, value: Value) -> Change:
        """The same object with these values, where nothing is done to it."""
        # What dataclasses.replace does, in a fifth of its time: a large plan asks for every object at every moment.
        held = object.__new__(Change)
        held.__dict__.update(self.__dict__, action=Action.NO_OP, actions=("no-op",), before=value, after=value)
        held.__dict__.pop("_changed_paths", None)
        return held

    def changed_paths(self) -> tuple[str, ...]:
        """Attribute paths whose value differs or becomes unknown, sorted; top-level lists are walked by index."""
        return self._changed_paths

    @cached_property
    def _changed_paths(self) -> tuple[str, ...]:
        """Kept: rules and every form of report ask for them."""
        if self.action not in (Action.UPDATE, Action.REPLACE):
            return ()
        return tuple(sorted(_differences(self.before, self.after)))


@dataclass(frozen=True, slots=True)
class OutputChange:
    """One entry of ``output_changes``."""

    name: str
    action: Action
    before: Value
    after: Value


@dataclass(frozen=True)
class Plan:
    """A plan that is fit to be judged. ``notes`` are sentences about the file that a reader should see."""

    document: Mapping[str, Any]
    changes: tuple[Change, ...]
    outputs: tuple[OutputChange, ...]
    notes: tuple[str, ...] = ()
    placeholders: frozenset[str] = field(default=frozenset())

    @cached_property
    def by_type(self) -> Mapping[str, tuple[Change, ...]]:
        """Changes of managed resources and data sources by resource type, in plan order."""
        found: dict[str, list[Change]] = {}
        for change in self.changes:
            found.setdefault(change.type, []).append(change)
        return {type_: tuple(changes) for type_, changes in found.items()}

    def of_type(self, *types: str) -> Iterator[Change]:
        """Changes of these types."""
        for type_ in types:
            yield from self.by_type.get(type_, ())

    @property
    def is_destroy(self) -> bool:
        """Every managed resource is deleted and none stays; a plan that only deletes some of many is not one."""
        managed = [c for c in self.changes if c.mode == "managed"]
        return bool(managed) and all(c.action is Action.DELETE for c in managed)

    @property
    def terraform_version(self) -> str:
        """Version of the terraform that made the plan."""
        return str(self.document.get("terraform_version", ""))

    @property
    def has_changes(self) -> bool:
        """Whether applying it does anything (state-only changes such as moves included)."""
        return bool(self.document.get("applyable"))

    def counts(self) -> dict[str, int]:
        """Managed resources per action, in a fixed order; imports and moves counted apart, zeros left out."""
        managed = [c for c in self.changes if c.mode == "managed"]
        counts = {a.value: sum(1 for c in managed if c.action is a) for a in Action if a is not Action.READ}
        counts["import"] = sum(1 for c in managed if c.importing)
        counts["move"] = sum(1 for c in managed if c.previous_address)
        return {name: number for name, number in counts.items() if number}

    def planned(self) -> Iterator[tuple[str, object]]:
        """(address, values) of the managed resource instances in ``planned_values``: what a scanner must have seen."""
        for resource in _planned_resources(self.document.get("planned_values")):
            yield str(resource.get("address")), resource["values"]


# -- reading ---------------------------------------------------------------------------------------------------


def read_plan(data: bytes, name: str, placeholders: frozenset[str] = frozenset()) -> Plan:
    """The plan in ``data`` (bytes of ``terraform show -json``); ``name`` is what messages call the file.

    Raises ``CannotJudgeError`` when it is not a complete, current plan.
    """
    notes: list[str] = []
    document = _parse(data, name, notes)
    _require_fit(document, name, notes)
    changes = tuple(_change(entry, placeholders, name) for entry in document.get("resource_changes") or ())
    outputs = tuple(
        _output(output, change, placeholders, name)
        for output, change in sorted((document.get("output_changes") or {}).items())
    )
    return Plan(document, changes, outputs, tuple(notes), placeholders)


def _parse(data: bytes, name: str, notes: list[str]) -> Mapping[str, Any]:
    if not data.strip():
        raise CannotJudgeError(
            f"{name} is empty, so there is no plan to judge", fix="Run `terraform show -json PLAN` again."
        )
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\x00" in data[:4]:
        raise CannotJudgeError(
            f"{name} is UTF-16 or UTF-32 text, but plan JSON is UTF-8",
            fix="Write it without a shell that re-encodes output (PowerShell's `>` does).",
        )
    if data[:3] == b"\xef\xbb\xbf":
        data = data[3:]
        notes.append(f"{name} began with a UTF-8 byte order mark, which was skipped.")
    if data[:2] == b"PK":
        raise CannotJudgeError(
            f"{name} is a binary plan, not plan JSON",
            fix="Give the folder it was made in: `hawser gate PLAN --root DIR`.",
        )
    try:
        document = json.loads(data.decode("utf-8"), object_pairs_hook=_unique)
    except UnicodeDecodeError as error:
        raise CannotJudgeError(f"{name} is not UTF-8 text (byte {error.start})", fix=_AGAIN) from None
    except RecursionError:
        raise CannotJudgeError(f"{name} is nested too deeply to be a plan", fix=_AGAIN) from None
    except json.JSONDecodeError as error:
        raise CannotJudgeError(_json_fault(data, name, error), fix=_AGAIN) from None
    except _DuplicateKeyError as error:
        raise CannotJudgeError(f"{name} {error}", fix=_AGAIN) from None
    except ValueError:  # Python refuses to convert integers of more than 4,300 digits
        raise CannotJudgeError(f"{name} holds an integer of more than 4,300 digits", fix=_AGAIN) from None
    if not isinstance(document, dict):
        raise CannotJudgeError(f"{name} holds a JSON {type(document).__name__}, not a plan", fix=_AGAIN)
    return document


_AGAIN: Final = "Write `terraform show -json PLAN` straight to a file and judge that."


class _DuplicateKeyError(ValueError):
    """One object has the same key twice: json keeps the last, other readers the first."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _DuplicateKeyError(
                    f"has the key {key[:80]!r} twice in one object, so two readers may see different plans"
                )
            seen.add(key)
    return found


def _json_fault(data: bytes, name: str, error: json.JSONDecodeError) -> str:
    start = data.lstrip()[:1]
    if start != b"{":
        hint = (
            " (the setup-terraform wrapper adds such lines: `terraform_wrapper: false`)"
            if b"[command]" in data[:400]
            else ""
        )
        return f"{name} has text before the JSON at line 1{hint}"
    if error.msg == "Extra data":
        return f"{name} has text after the JSON at line {error.lineno}"
    if error.pos >= len(error.doc.rstrip()) - 1 or "Unterminated" in error.msg:
        return f"{name} ends in the middle of the JSON at line {error.lineno}: it is truncated"
    return f"{name} is not JSON at line {error.lineno}, column {error.colno}"


def _require_fit(document: Mapping[str, Any], name: str, notes: list[str]) -> None:
    if "format_version" not in document or "planned_values" not in document:
        if "serial" in document and "lineage" in document:
            raise CannotJudgeError(f"{name} is a Terraform state, not a plan", fix=_AGAIN)
        if "values" in document:
            raise CannotJudgeError(f"{name} is the JSON of a state, not of a plan", fix=_AGAIN)
        raise CannotJudgeError(
            f"{name} is JSON but not a plan: it has no format_version and planned_values", fix=_AGAIN
        )
    _require_format(document["format_version"], name, notes)
    for key in ("complete", "errored", "applyable"):
        if not isinstance(document.get(key), bool):
            raise CannotJudgeError(f"{name} does not say whether the plan is {key}", fix=_NEWER_TERRAFORM)
    if document["errored"]:
        raise CannotJudgeError(
            f"{name} is a plan that ended with errors: what is in it is only a part",
            fix="Mend the error and plan again.",
        )
    if not document["complete"]:
        why = (
            "parts of it were deferred"
            if document.get("deferred_changes")
            else "it was made with -target or left parts out"
        )
        raise CannotJudgeError(
            f"{name} is not a complete plan: {why}", fix="Plan the whole stack again, without -target."
        )
    for key, kind in (("resource_changes", list), ("output_changes", dict), ("planned_values", dict)):
        if document.get(key) is not None and not isinstance(document[key], kind):
            raise CannotJudgeError(f"{name} has a {key} that is not a JSON {kind.__name__}", fix=_AGAIN)
    if not document["applyable"] and _does_something(document):
        raise CannotJudgeError(f"{name} lists changes but says that it cannot be applied", fix="Plan again.")


#: Terraform 1.8 is the first that says of a plan whether it is complete (see ``_require_fit``).
_NEWER_TERRAFORM: Final = "Make the plan with Terraform 1.8 or newer."


def _require_format(version: Any, name: str, notes: list[str]) -> None:
    parts = version.split(".") if isinstance(version, str) else []
    if len(parts) != 2 or not all(p.isascii() and p.isdigit() and len(p) < 6 for p in parts):
        raise CannotJudgeError(f"{name} has a format_version that is not MAJOR.MINOR", fix=_AGAIN)
    major, minor = int(parts[0]), int(parts[1])
    if major != KNOWN_FORMAT[0]:
        raise CannotJudgeError(
            f"{name} has plan format {version}; this hawser reads {KNOWN_FORMAT[0]}.x",
            fix="Use a newer hawser, or an older terraform." if major else _NEWER_TERRAFORM,
        )
    if minor > KNOWN_FORMAT[1]:
        notes.append(
            f"{name} has plan format {version}, newer than {KNOWN_FORMAT[0]}.{KNOWN_FORMAT[1]}:"
            " new kinds of facts in it were not judged."
        )


def _does_something(document: Mapping[str, Any]) -> bool:
    for entry in document.get("resource_changes") or ():
        change = entry.get("change") if isinstance(entry, dict) else None
        if isinstance(change, dict) and change.get("actions") not in (["no-op"], ["read"]):
            return True
    return False


# -- building --------------------------------------------------------------------------------------------------


def _change(entry: Any, placeholders: frozenset[str], name: str) -> Change:
    if (
        not isinstance(entry, dict)
        or not isinstance(entry.get("change"), dict)
        or not isinstance(entry.get("address"), str)
    ):
        raise CannotJudgeError(f"{name} has an entry in resource_changes without address and change", fix=_AGAIN)
    change, address = entry["change"], entry["address"]
    actions = _actions(change.get("actions"), address, name)
    return Change(
        address=address,
        module_address=str(entry.get("module_address") or ""),
        mode=str(entry.get("mode") or "managed"),
        type=str(entry.get("type") or ""),
        name=str(entry.get("name") or ""),
        index=entry.get("index"),
        provider=str(entry.get("provider_name") or ""),
        action=_ACTIONS[actions],
        actions=actions,
        reason=str(entry.get("action_reason") or ""),
        replace_paths=tuple(_path_text(path) for path in _list(change.get("replace_paths"))),
        before=Value(change.get("before"), None, change.get("before_sensitive"), "", frozenset()),
        after=_after(change, placeholders),
        previous_address=_text(entry.get("previous_address")),
        importing="importing" in change,
        deposed=_text(entry.get("deposed")),
    )


def _actions(actions: Any, address: str, name: str) -> tuple[str, ...]:
    found = tuple(str(a) for a in actions) if isinstance(actions, list) else ()
    if found not in _ACTIONS:
        raise CannotJudgeError(
            f"{name} plans {'+'.join(found) or 'nothing'} for {address}, an action that this hawser does not know",
            fix="Use a newer hawser.",
        )
    return found


def _after(change: Mapping[str, Any], placeholders: frozenset[str]) -> Value:
    return Value(change.get("after"), change.get("after_unknown"), change.get("after_sensitive"), "", placeholders)


def _output(output: str, change: Any, placeholders: frozenset[str], name: str) -> OutputChange:
    if not isinstance(change, dict):
        raise CannotJudgeError(f"{name} has an output {output!r} without a change", fix=_AGAIN)
    actions = _actions(change.get("actions"), f"output {output}", name)
    return OutputChange(
        output,
        _ACTIONS[actions],
        Value(change.get("before"), None, change.get("before_sensitive")),
        _after(change, placeholders),
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _path_text(path: Any) -> str:
    value = MISSING
    for step in path if isinstance(path, list) else [path]:
        value = value.get(step if isinstance(step, (str, int)) else str(step))
    return value.path


def _planned_resources(values: Any) -> Iterator[Mapping[str, Any]]:
    """Managed resources of ``planned_values`` that are really planned (a forgotten one stays there without values)."""
    stack = [values.get("root_module")] if isinstance(values, dict) else []
    while stack:
        module = stack.pop()
        if not isinstance(module, dict):
            continue
        for resource in module.get("resources") or ():
            if isinstance(resource, dict) and resource.get("mode") == "managed" and "values" in resource:
                yield resource
        stack.extend(module.get("child_modules") or ())


def _differences(before: Value, after: Value) -> Iterator[str]:
    if after.is_unknown:
        yield after.path
        return
    left, right = before.raw(), after.raw()
    if left == right and not after.has_unknown:
        return
    if isinstance(left, dict) and isinstance(right, dict):
        for left_child, right_child in _union(before, after):
            yield from _differences(left_child, right_child)
        return
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for index in range(len(left)):
            yield from _differences(before.get(index), after.get(index))
        return
    yield after.path or before.path


def _union(before: Value, after: Value) -> Iterator[tuple[Value, Value]]:
    keys = {key for key, _ in before.items()} | {key for key, _ in after.items()}
    for key in sorted(keys):
        yield before.get(key), after.get(key)
