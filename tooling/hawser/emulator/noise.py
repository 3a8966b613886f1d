"""What the emulator gets wrong, as data: changes in a plan that AWS itself would not show."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

from hawser.errors import HawserError

ACTIONS: Final = ("create", "update", "replace", "delete")
_KEYS: Final = ("resource_type", "actions", "attributes", "why")


@dataclass(frozen=True, slots=True)
class NoiseEntry:
    """One shortcoming: which type, which kinds of change (``update``, ``replace`` …), which attribute paths, and why.

    A path covers everything below it; ``*`` stands for any one step (``launch_template[*].version``).
    """

    resource_type: str
    actions: tuple[str, ...]
    attributes: tuple[str, ...]
    why: str

    def matches(self, resource_type: str, actions: tuple[str, ...], changed_paths: Iterable[str]) -> bool:
        """Whether this entry explains the whole change.

        ``actions`` are those of the plan JSON (``("delete", "create")``), ``changed_paths`` in Terraform's notation
        (``tags["team"]``, ``launch_template[0].version``). Without a path only a create or a delete is explained.
        """
        kind = "replace" if len(actions) > 1 else "".join(actions)
        if resource_type != self.resource_type or kind not in self.actions:
            return False
        patterns = [_steps(pattern) for pattern in self.attributes]
        changed = [_steps(path) for path in changed_paths]
        if not changed:
            return kind in ("create", "delete")
        return all(any(_covers(pattern, path) for pattern in patterns) for path in changed)


def load_noise() -> tuple[NoiseEntry, ...]:
    """The entries of ``noise.yaml``. Raises ``HawserError`` that names the entry when the file is not well formed."""
    return _load()


@cache
def _load() -> tuple[NoiseEntry, ...]:
    return parse_noise(resources.files("hawser.emulator").joinpath("noise.yaml").read_text(encoding="utf-8"))


def parse_noise(text: str) -> tuple[NoiseEntry, ...]:
    """The entries in ``text`` (YAML). Raises ``HawserError``: unknown or missing keys, wrong types, the same twice."""
    import yaml

    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise HawserError(f"emulator/noise.yaml is not YAML: {' '.join(str(error).split())}") from None
    if document is None:
        return ()
    if not isinstance(document, list):
        raise HawserError("emulator/noise.yaml must be a list of entries")
    entries = tuple(_entry(number, raw) for number, raw in enumerate(document, start=1))
    for number, entry in enumerate(entries, start=1):
        if entry in entries[: number - 1]:
            raise HawserError(f"emulator/noise.yaml: entry {number} is there twice")
    return entries


def _entry(number: int, raw: Any) -> NoiseEntry:
    place = f"emulator/noise.yaml: entry {number}"
    if not isinstance(raw, dict):
        raise HawserError(f"{place} must be a mapping with the keys {', '.join(_KEYS)}")
    if set(raw) != set(_KEYS):
        wrong = sorted({str(key) for key in set(raw) ^ set(_KEYS)})
        raise HawserError(f"{place} has unknown or missing keys: {', '.join(wrong)}")
    for key in ("resource_type", "why"):
        if not isinstance(raw[key], str) or not raw[key].strip():
            raise HawserError(f"{place}: {key} must be a text")
    for key in ("actions", "attributes"):
        if not isinstance(raw[key], list) or not raw[key] or not all(isinstance(v, str) and v for v in raw[key]):
            raise HawserError(f"{place}: {key} must be a list of texts with at least one")
    if unknown := [action for action in raw["actions"] if action not in ACTIONS]:
        raise HawserError(f"{place}: {unknown[0]!r} is not one of {', '.join(ACTIONS)}")
    return NoiseEntry(raw["resource_type"], tuple(raw["actions"]), tuple(raw["attributes"]), raw["why"].strip())


_STEP: Final = re.compile(r'\["((?:[^"\\]|\\.)*)"\]|\[([^\]"]*)\]|([^.\[\]]+)')


def _steps(path: str) -> tuple[str, ...]:
    """``a[0].b["c.d"]`` as ``("a", "0", "b", "c.d")``."""
    return tuple(match[1] or match[2] or match[3] or "" for match in _STEP.finditer(path))


def _covers(pattern: tuple[str, ...], path: tuple[str, ...]) -> bool:
    if len(path) < len(pattern):
        return False
    return all(want in ("*", have) for want, have in zip(pattern, path, strict=False))
