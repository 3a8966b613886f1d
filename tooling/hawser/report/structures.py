"""Two texts compared by what they say: JSON, YAML, and user data of several parts, down to JSON inside JSON."""

from __future__ import annotations

import base64
import binascii
import email
import email.message
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import yaml

from hawser.policy.template_yaml import TemplateLoader

#: What stands on a side where there is nothing.
ABSENT: Final = object()
#: Longer texts are not read as structures (CloudFormation's limit for a template in S3 is 1 MB).
_LONGEST: Final = 4_000_000
#: Texts inside texts are followed so deep; real code nests two or three.
_DEPTH: Final = 6
#: By what the members of a list are known, where each has one and no two share it.
_IDENTITIES: Final = ("Sid", "InstanceGroupName", "LogicalId", "Key", "key", "Name", "name", "Id", "id")


@dataclass(frozen=True, slots=True)
class Difference:
    """A place inside a text and what stands there on both sides; ``ABSENT`` for nothing."""

    place: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Same:
    """Two texts that differ in formatting alone."""


@dataclass(frozen=True, slots=True)
class Opaque:
    """A side looks like a structure and cannot be read: nobody can say what differs."""


def compared(before: object, after: object) -> tuple[Difference, ...] | Same | Opaque | None:
    """What differs inside two texts; nothing when they are not texts with a structure in both."""
    if not isinstance(before, str) or not isinstance(after, str):
        return None
    try:
        left, right = _read(before), _read(after)
    except (ValueError, yaml.YAMLError, RecursionError):
        return Opaque()
    if left is None or right is None or type(left) is not type(right):
        return None
    found = tuple(_differences("", left, right, _DEPTH))
    if not found:
        return Same()
    return found if all(difference.place for difference in found) else None


def _read(text: str) -> dict[str, Any] | list[Any] | None:
    """The structure in a text; nothing for plain text. Raises ``ValueError`` for a broken structure."""
    bare = text.strip()
    if not bare or len(text) > _LONGEST:
        return None
    if bare[0] in "{[":
        found = json.loads(bare)
        return found if isinstance(found, dict | list) else None
    if bare[:13].lower() == "mime-version:" or bare[:13].lower() == "content-type:":
        return _parts(bare)
    if "\n" in bare and ":" in bare and not bare.startswith(("#!", "-----")):
        return _yaml(bare)
    decoded = _decoded(bare)
    return None if decoded is None else _read(decoded)


def _yaml(text: str) -> dict[str, Any] | list[Any] | None:
    try:
        found = yaml.load(text, TemplateLoader)  # noqa: S506 - a subclass of the safe loader
    except yaml.YAMLError:
        if text.startswith(("---", "apiVersion:", "AWSTemplateFormatVersion:", "#cloud-config")):
            raise
        return None  # prose or a script with colons in it
    return found if isinstance(found, dict | list) else None


def _parts(text: str) -> dict[str, Any] | None:
    """User data of several parts: by content type and place."""
    message = email.message_from_string(text)
    if not message.is_multipart():
        return None
    found: dict[str, Any] = {}
    for number, part in enumerate(p for p in message.walk() if not p.is_multipart()):
        payload = part.get_payload(decode=True)
        body = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else str(payload)
        found[f"part {number + 1} ({part.get_content_type()})"] = body
    return found


def _decoded(text: str) -> str | None:
    if len(text) < 16 or len(text) % 4:
        return None
    try:
        return base64.b64decode(text, validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None


def _differences(place: str, left: Any, right: Any, depth: int) -> Iterator[Difference]:
    if _written(left) == _written(right):
        return
    if isinstance(left, dict) and isinstance(right, dict):
        for key in sorted(left.keys() | right.keys(), key=str):
            name = f"{place}.{key}" if place else str(key)
            yield from _differences(name, left.get(key, ABSENT), right.get(key, ABSENT), depth)
    elif isinstance(left, list) and isinstance(right, list):
        yield from _lists(place, left, right, depth)
    elif isinstance(left, str) and isinstance(right, str) and depth:
        yield from _texts(place, left, right, depth)
    else:
        yield Difference(place, left, right)


def _texts(place: str, left: str, right: str, depth: int) -> Iterator[Difference]:
    try:
        one, other = _read(left), _read(right)
    except (ValueError, yaml.YAMLError):
        one = other = None
    if one is None or other is None or type(one) is not type(other):
        yield Difference(place, left, right)
    else:
        yield from _differences(place, one, other, depth - 1)


def _lists(place: str, left: list[Any], right: list[Any], depth: int) -> Iterator[Difference]:
    """Members by identity where they have one, else by place when there are as many, else what came and what went."""
    identity = next((key for key in _IDENTITIES if _identifies(key, left) and _identifies(key, right)), None)
    if identity is not None:
        old = {member[identity]: member for member in left}
        new = {member[identity]: member for member in right}
        if (
            list(old) != list(new)
            and all(old.get(key) == member for key, member in new.items())
            and len(old) == len(new)
        ):
            yield Difference(f"{place} (order)", list(old), list(new))
        for key in dict.fromkeys((*old, *new)):
            yield from _differences(f"{place}[{key}]", old.get(key, ABSENT), new.get(key, ABSENT), depth)
    elif len(left) == len(right):
        for index, (one, other) in enumerate(zip(left, right, strict=True)):
            yield from _differences(f"{place}[{index}]", one, other, depth)
    else:
        one, other = ([_written(member) for member in members] for members in (left, right))
        gone, come = Counter(one) - Counter(other), Counter(other) - Counter(one)
        for spare, members, words in ((gone, left, "removed"), (come, right, "added")):
            for member in members:
                if spare[_written(member)] > 0:
                    spare[_written(member)] -= 1
                    sides = (member, ABSENT) if words == "removed" else (ABSENT, member)
                    yield Difference(f"{place} ({words})", *sides)


def _written(value: Any) -> str:
    """The value in one canonical form: 1 and true are different, the order of keys is not."""
    return json.dumps(value, sort_keys=True, default=repr)


def _identifies(key: str, members: list[Any]) -> bool:
    names = [member.get(key) for member in members if isinstance(member, dict)]
    return (
        len(names) == len(members) > 0
        and all(isinstance(name, str) and name for name in names)
        and len(set(names)) == len(names)
    )
