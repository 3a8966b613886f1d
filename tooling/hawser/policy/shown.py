"""How values and their causes are put into words: short texts without secrets, and paths into the contract."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from hawser.contract.deployment import Deployment
from hawser.terraform.secrets import shapes_in
from hawser.terraform.values import UNKNOWN, Unknown, Value, steps

_KEY: Final = re.compile(r'\["((?:[^"\\]|\\.)*)"\]')
_LONGEST: Final = 120


def shown(value: Value) -> str:
    """A value as a short text; sensitive ones are never shown."""
    if value.is_sensitive:
        return "(sensitive value)"
    return shown_plain(value.tree())


def shown_plain(tree: Any) -> str:
    """A plain structure (``UNKNOWN`` inside allowed) as a short text."""
    if isinstance(tree, Unknown):
        return repr(UNKNOWN)
    text = tree if isinstance(tree, str) else json.dumps(tree, sort_keys=True, default=repr, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def at_path(value: Value, path: str) -> Value:
    """The value at an attribute path, or the deepest one on the way that is there (a path may lead into a string)."""
    for step in steps(path):
        child = value.get(step)
        if child.is_missing:
            break
        value = child
    return value


def secret_in(text: str) -> str | None:
    """What kind of secret a text holds by its shape (``GitHub token``), never the secret itself."""
    return next((shape.name for shape, _, _ in shapes_in(text)), None)


def keys_of(address: str) -> tuple[str, ...]:
    """The string keys in an address: ``module.pool["a"].x.y["b"]`` has ``a`` and ``b``."""
    return tuple(re.sub(r"\\(.)", r"\1", key) for key in _KEY.findall(address))


def pool_name(address: str, deployment: Deployment | None) -> str | None:
    """The capacity pool that a resource belongs to, by the keys in its address."""
    pools = deployment.environment.capacity if deployment else {}
    return next((key for key in keys_of(address) if key in pools), None)


def pool_path(address: str, deployment: Deployment | None, field: str = "") -> str | None:
    """The dotted path of the pool (or of a field of it) that a resource comes from, or nothing."""
    name = pool_name(address, deployment)
    return None if name is None else f"capacity.{name}.{field}" if field else f"capacity.{name}"
