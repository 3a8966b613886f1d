"""Manifests as they are written: every object of a file with the lines of its parts. Never runs what a tag says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from hawser.errors import CannotJudgeError

_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

#: A manifest of hundreds of objects has some ten thousand values; more is an alias that unfolds without end.
_MOST_VALUES: Final = 200_000
_LARGEST_BYTES: Final = 8 * 2**20


@dataclass(frozen=True, slots=True)
class Manifest:
    """One object. ``lines`` maps the path of a part (``spec.replicas``, ``spec.containers[0]``) to its line."""

    file: str
    data: Mapping[str, Any]
    lines: Mapping[str, int] = field(repr=False)

    @property
    def kind(self) -> str:
        """Its kind, or nothing."""
        return str(self.data.get("kind") or "")

    @property
    def api_version(self) -> str:
        """Its API version, or nothing."""
        return str(self.data.get("apiVersion") or "")

    @property
    def name(self) -> str:
        """``kind/name``, with the namespace where it says one."""
        metadata = self.data.get("metadata")
        about = metadata if isinstance(metadata, dict) else {}
        return f"{self.kind or 'object'}/{about.get('name') or '(no name)'}"

    def line(self, path: str) -> int:
        """The line of a part, or of the nearest one around it that is there."""
        while path and path not in self.lines:
            cut = max(path.rfind("."), path.rfind("["))
            path = path[:cut] if cut > 0 else ""
        return self.lines.get(path, 1)


def read_manifests(data: bytes, file: str) -> tuple[Manifest, ...]:
    """The objects in a YAML (or JSON) file; a ``List`` is what it holds.

    Raises ``CannotJudgeError`` when it is none, with the line.
    """
    if len(data) > _LARGEST_BYTES:
        raise CannotJudgeError(f"{file} has {len(data):,} bytes", fix=f"Split it: at most {_LARGEST_BYTES:,} are read.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CannotJudgeError(f"{file} is not UTF-8 (byte {error.start})", fix="Save it as UTF-8.") from None
    found: list[Manifest] = []
    try:
        for node in yaml.compose_all(text, Loader=_Loader):
            found += _objects(node, file, text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{file}:{mark.line + 1}" if mark else file
        what = f"{place} is not YAML: {getattr(error, 'problem', None) or error}"
        raise CannotJudgeError(what, fix=_hint(text, "Mend it.")) from None
    if not found:
        raise CannotJudgeError(f"{file} holds no object", fix="Give a file with Kubernetes objects.")
    return tuple(found)


def read_files(paths: tuple[Path, ...]) -> tuple[Manifest, ...]:
    """The objects of several files. Raises ``CannotJudgeError``."""
    found: list[Manifest] = []
    for path in paths:
        try:
            data = path.read_bytes()
        except OSError as error:
            raise CannotJudgeError(f"{path} cannot be read: {error.strerror}", fix="Check the path.") from None
        found += read_manifests(data, str(path))
    return tuple(found)


def _hint(text: str, otherwise: str) -> str:
    return "It looks like a template of Helm: give what `helm template` prints." if "{{" in text else otherwise


def _objects(node: yaml.Node | None, file: str, text: str) -> list[Manifest]:
    if node is None or (isinstance(node, yaml.ScalarNode) and not node.value):
        return []
    lines: dict[str, int] = {}
    data = _Builder(file, lines).value(node, "")
    if not isinstance(data, dict) or "kind" not in data:
        what = f"{file}:{node.start_mark.line + 1} is no table with a kind"
        raise CannotJudgeError(what, fix=_hint(text, "Give Kubernetes objects only."))
    if data["kind"] == "List" and isinstance(data.get("items"), list):
        return [
            Manifest(file, item, _below(lines, f"items[{index}]"))
            for index, item in enumerate(data["items"])
            if isinstance(item, dict)
        ]
    return [Manifest(file, data, lines)]


def _below(lines: Mapping[str, int], prefix: str) -> dict[str, int]:
    inside = {path.removeprefix(prefix).lstrip("."): line for path, line in lines.items() if path.startswith(prefix)}
    return inside | {"": lines.get(prefix, 1)}


class _Builder:
    """Plain values of a composed document, with the line of each."""

    def __init__(self, file: str, lines: dict[str, int]) -> None:
        self._file, self._lines, self._values = file, lines, 0
        self._plain = yaml.SafeLoader("")

    def value(self, node: yaml.Node, path: str) -> Any:
        self._values += 1
        if self._values > _MOST_VALUES or path.count(".") > 100:
            raise CannotJudgeError(f"{self._file} unfolds to too many values", fix="Remove the aliases.")
        self._lines.setdefault(path, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            found: dict[str, Any] = {}
            for key_node, value_node in node.value:
                key = str(getattr(key_node, "value", ""))
                here = f"{path}.{key}" if path else key
                self._lines[here] = key_node.start_mark.line + 1
                if key == "<<" and isinstance(value_node, yaml.MappingNode):
                    merged = self.value(value_node, path)
                    found = {**merged, **found}
                else:
                    found[key] = self.value(value_node, here)
            return found
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, f"{path}[{index}]") for index, item in enumerate(node.value)]
        try:
            return self._plain.construct_object(node)
        except (yaml.YAMLError, ValueError):
            return str(node.value)  # a tag that nothing knows, or a date that does not exist
