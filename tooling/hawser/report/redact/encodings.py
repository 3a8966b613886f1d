"""The ways in which one text is written inside another: escapes, base64, JSON in a string, name and value pairs."""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from hawser.terraform.secrets import is_secret_name

#: From this length on a secret is found inside words too; a shorter one only as a whole token.
ANYWHERE: Final = 8

_BASE64 = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}")
_NAME_KEYS: Final = ("name", "Name", "key", "Key", "ParameterKey")
_VALUE_KEYS: Final = ("value", "Value", "ParameterValue")


def named_pairs(node: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """``{"name": "HF_TOKEN", "value": "..."}``: the keys of a pair whose name says secret."""
    for value_key in _VALUE_KEYS:
        if value_key in node:
            for name_key in _NAME_KEYS:
                name = node.get(name_key)
                if isinstance(name, str) and is_secret_name(name):
                    yield name_key, value_key


def parsed_json(text: str) -> Any:
    """The value of a JSON text; nothing for anything else."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def decoded_base64(text: str) -> str | None:
    """The text that a base64 string encodes; nothing for anything else."""
    if len(text) < 16 or len(text) % 4 or _BASE64.fullmatch(text) is None:
        return None
    try:
        decoded = base64.b64decode(text, validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None
    return decoded if decoded.isprintable() or "\n" in decoded else None


def spellings(secret: str) -> Iterator[str]:
    """The ways in which a secret is written inside other texts."""
    yield secret
    encoded = json.dumps(secret)[1:-1]
    yield encoded
    yield json.dumps(secret, ensure_ascii=False)[1:-1]
    yield html.escape(secret)
    # Terraform's jsonencode writes these three as escapes.
    yield encoded.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    if len(secret) >= ANYWHERE:
        yield base64.b64encode(secret.encode("utf-8", "surrogatepass")).decode("ascii")
