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
from hawser.terraform.secrets import is_secret_name, is_secret_value, may_hold_shapes
from hawser.terraform.values import UndecidableError

#: Keys and indexes from the top of a resource's values.
Keys = tuple[str | int, ...]

_NAMES: Final = ("name", "Name", "key", "ParameterKey")
_VALUES: Final = ("value", "Value", "ParameterValue")


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
    if _suspicious(change.after.raw()):
        for keys, what in _secrets(change.after.raw(), (), ""):
            value = change.after.at(*keys)
            if not value.is_sensitive and not value.is_unknown:
                message = f"{value.path} holds a secret in clear: {what}."
                yield Hit(path=value.path, message=message, after="(not shown)")
    yield from _encoded(change)


def _suspicious(node: Any) -> bool:
    """A quick look over the raw tree, since nearly every resource is clean: names of secrets, or their shapes."""
    strings: list[str] = []
    if _named(node, strings):
        return True
    return may_hold_shapes("\n".join(strings)) and any(map(secret_in, strings))


def _named(node: Any, strings: list[str]) -> bool:
    """Whether something in the tree has the name of a secret; its strings are put into ``strings``."""
    found = False
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            for key, child in item.items():
                if isinstance(child, str):
                    strings.append(child)
                    if child and is_secret_name(key):
                        found = True
                elif child:
                    stack.append(child)
                    if isinstance(child, list) and is_secret_name(key):
                        found = True
            if ("value" in item or "Value" in item or "ParameterValue" in item) and (pair := _name_and_value(item)):
                found = found or is_secret_name(pair[0])
        elif isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, str):
            strings.append(item)
    return found


def _secrets(node: Any, keys: Keys, name: str) -> Iterator[tuple[Keys, str]]:
    """(keys that lead there, what it is) of strings that look like secrets, whatever Terraform marks."""
    if isinstance(node, dict):
        if pair := _name_and_value(node):
            name_of, key = pair
            yield from _secrets(node[key], (*keys, key), name_of)
        for key in sorted(node):
            yield from _secrets(node[key], (*keys, key), key)
    elif isinstance(node, list):
        for index, child in enumerate(node):
            yield from _secrets(child, (*keys, index), name)
    elif isinstance(node, str) and node:
        if what := secret_in(node):
            yield keys, what
        elif is_secret_name(name) and is_secret_value(node) and _looks_random(node):
            yield keys, "random text under a secret's name"


def _looks_random(text: str) -> bool:
    """Long and varied enough to be a password or key: 3 bits per character part random text from words of 8 letters."""
    if not 8 <= len(text) <= 4096 or any(c.isspace() for c in text):
        return False
    counts = Counter(text)
    bits = -sum(n / len(text) * math.log2(n / len(text)) for n in counts.values())
    return bits >= 3 and not text.replace("-", "").replace("_", "").isalpha()


def _name_and_value(raw: dict[str, Any]) -> tuple[str, str] | None:
    """``{name: HF_TOKEN, value: …}``, the form of environment variables and parameters."""
    for value in _VALUES:
        if isinstance(raw.get(value), str):
            for name in _NAMES:
                if isinstance(raw.get(name), str):
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
