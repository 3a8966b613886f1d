"""Objects as YAML that people read: keys in the order that they were given, long texts as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml


class _Dumper(yaml.SafeDumper):
    """Lists are indented below their key, no anchors, texts of several lines as blocks."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        return super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, data: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", data, style="|" if "\n" in data else None)


_Dumper.add_representer(str, _text)


def documents(objects: Sequence[dict[str, Any]], header: str) -> bytes:
    """Several objects as one file, with a comment above."""
    comment = "".join(f"# {line}".rstrip() + "\n" for line in header.splitlines())
    parts = [
        yaml.dump(one, Dumper=_Dumper, sort_keys=False, width=10_000, allow_unicode=True, default_flow_style=False)
        for one in objects
    ]
    return (comment + "---\n" + "---\n".join(parts)).encode()
