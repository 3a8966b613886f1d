"""The ways in which one text is written inside another: escapes, base64, JSON in a string, name and value pairs."""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
import urllib.parse
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from hawser.terraform.secrets import is_secret_name

#: From this length on a secret is found inside words too; a shorter one only as a whole token.
ANYWHERE: Final = 8

_BASE64 = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}")
_RUN = re.compile(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{24,}(?:\r?\n[ \t]*[A-Za-z0-9+/]+)*={0,2}")
#: The first bytes of gzip, and the most of what it holds that is looked at (user data is at most 16 KiB before gzip).
_GZIP: Final = b"\x1f\x8b"
_LONGEST_UNPACKED: Final = 4_000_000
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
    """The text that a base64 string encodes, unpacked if it is gzip; nothing for anything else."""
    if len(text) < 16 or len(text) % 4 or _BASE64.fullmatch(text) is None:
        return None
    try:
        raw = base64.b64decode(text, validate=True)
        if raw[:2] == _GZIP:
            raw = zlib.decompressobj(wbits=31).decompress(raw, _LONGEST_UNPACKED)
        decoded = raw.decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, zlib.error):
        return None
    return decoded if decoded.isprintable() or "\n" in decoded else None


def spellings(secret: str) -> Iterator[str]:
    """The ways in which a secret is written inside other texts."""
    yield secret
    for text in (secret, json.dumps(secret)[1:-1]):  # JSON in JSON escapes twice
        encoded = json.dumps(text)[1:-1]
        yield encoded
        yield json.dumps(text, ensure_ascii=False)[1:-1]
        # Terraform's jsonencode writes these three as escapes.
        yield encoded.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    escaped = html.escape(secret)
    yield escaped
    yield escaped.replace("&quot;", "&#34;").replace("&#x27;", "&#39;")  # as jinja2 writes them
    if len(secret) >= ANYWHERE:
        raw = secret.encode("utf-8", "surrogatepass")
        yield urllib.parse.quote(raw, safe="")
        yield urllib.parse.quote(raw)
        yield urllib.parse.quote_plus(raw)
        for text in _in_base64(raw):
            yield text
            yield text.replace("+", "-").replace("/", "_")


def _in_base64(raw: bytes) -> Iterator[str]:
    """What base64 makes of bytes: alone, and the part that does not depend on what stands before and behind them."""
    yield base64.b64encode(raw).decode("ascii")
    for before in range(3):
        first = -(-before * 4 // 3)
        last = (before + len(raw)) // 3 * 4 + (before + len(raw)) % 3
        inner = base64.b64encode(b"\0" * before + raw).decode("ascii")[first + (before > 0) : last]
        if len(inner) >= ANYWHERE:
            yield inner.rstrip("=")


def encoded_runs(text: str) -> Iterator[tuple[str, str]]:
    """Base64 inside a text (a MIME part, a file in cloud-init), which may run over lines: as it stands, and decoded."""
    for match in _RUN.finditer(text):
        run = match[0]
        decoded = decoded_base64("".join(run.split()))
        if decoded is not None:
            yield run, decoded
