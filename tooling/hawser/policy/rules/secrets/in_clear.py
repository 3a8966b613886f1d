"""HW-SEC-001: a secret stands in clear in the plan."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from hawser.policy.documents import user_data_of
from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shell import SCRIPTS
from hawser.policy.shown import secret_in
from hawser.terraform.plan import Change
from hawser.terraform.secrets import SHAPES, is_secret_name, is_secret_value
from hawser.terraform.values import UndecidableError, Value

_HINTS: Final = tuple(dict.fromkeys(hint for shape in SHAPES for hint in shape.hints))


@change_rule(
    RuleMeta(
        id="HW-SEC-001",
        title="Values that look like secrets are marked sensitive, or better, are not in the plan at all.",
        area="secrets",
        severity=Severity.CRITICAL,
        level=Level.BLOCK,
        resource_types=("*",),
        looks_at="planned state",
        why="A plan is read by people and tools, and its values are kept in the state: a secret in it is given away.",
        fix="Take it out of the configuration, revoke it, and hand it over by Secrets Manager or a Kubernetes secret"
        " that is made outside Terraform.",
    )
)
def in_clear(change: Change, _: Context) -> Iterator[Hit]:
    """Known by shape anywhere, or by a secret-looking name with a random-looking value. The value is never told."""
    strings: list[str] = []
    if _suspicious(change.after.raw(), strings):
        for path, what in _secrets(change.after, ""):
            yield Hit(path=path, message=f"{path} holds a secret in clear: {what}.", after="(not shown)")
    yield from _encoded(change)


def _suspicious(node: Any, strings: list[str]) -> bool:
    """A quick look over the raw tree, since nearly every resource is clean: names, or literals of shapes."""
    named = _walk(node, strings)
    if named:
        return True
    text = "\n".join(strings)
    return any(hint in text for hint in _HINTS)


def _walk(node: Any, strings: list[str]) -> bool:
    named = False
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            for key, child in item.items():
                if isinstance(child, str):
                    strings.append(child)
                    if child and is_secret_name(key):
                        named = True
                elif child:
                    stack.append(child)
        elif isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, str):
            strings.append(item)
    return named


def _secrets(value: Value, name: str) -> Iterator[tuple[str, str]]:
    """(path, what it is) of strings that look like secrets and carry no sensitive mark."""
    raw = value.raw()
    if isinstance(raw, dict):
        if pair := _name_and_value(raw):
            name_of, key = pair
            yield from _secrets(value.get(key), name_of)
        for key in sorted(raw):
            yield from _secrets(value.get(key), key)
    elif isinstance(raw, list):
        for index in range(len(raw)):
            yield from _secrets(value.get(index), name)
    elif isinstance(raw, str) and raw and not value.is_sensitive and not value.is_unknown:
        if what := secret_in(raw):
            yield value.path, what
        elif is_secret_name(name) and is_secret_value(raw) and _looks_random(raw):
            yield value.path, "random text under a secret's name"


def _looks_random(text: str) -> bool:
    """Long and varied enough to be a password or key: 3 bits per character part random text from words of 8 letters."""
    if not 8 <= len(text) <= 4096 or any(c.isspace() for c in text):
        return False
    counts = Counter(text)
    bits = -sum(n / len(text) * math.log2(n / len(text)) for n in counts.values())
    return bits >= 3 and not text.replace("-", "").replace("_", "").isalpha()


def _name_and_value(raw: dict[str, Any]) -> tuple[str, str] | None:
    """``{name: HF_TOKEN, value: …}``, the form of environment variables and parameters."""
    for name in ("name", "Name", "key", "ParameterKey"):
        for value in ("value", "Value", "ParameterValue"):
            if isinstance(raw.get(name), str) and isinstance(raw.get(value), str):
                return raw[name], value
    return None


def _encoded(change: Change) -> Iterator[Hit]:
    """Secrets by shape behind base64: user data and objects."""
    for name, encoded in SCRIPTS.get(change.type, ()):
        value = change.after.get(name)
        if not encoded or value.is_sensitive or value.is_unknown:
            continue
        try:
            what = secret_in(user_data_of(value, encoded=True))
        except UndecidableError:
            continue
        if what:
            yield Hit(
                path=value.path,
                message=f"{value.path} holds a secret in clear behind base64: {what}.",
                after="(not shown)",
            )
