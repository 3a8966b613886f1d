"""Shell text that runs on nodes or in build steps: user data, lifecycle scripts, template bodies."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Final

from hawser.policy.documents import json_of, strings_in, user_data_of
from hawser.policy.templates import template
from hawser.policy.unknown import Doubts
from hawser.terraform.plan import Change
from hawser.terraform.values import UndecidableError, Value

#: Attributes that hold shell text, by type: (attribute, whether it is base64).
SCRIPTS: Final[dict[str, tuple[tuple[str, bool], ...]]] = {
    "aws_launch_template": (("user_data", True),),
    "aws_launch_configuration": (("user_data", False), ("user_data_base64", True)),
    "aws_instance": (("user_data", False), ("user_data_base64", True)),
    "aws_spot_instance_request": (("user_data", False), ("user_data_base64", True)),
    "aws_s3_object": (("content", False), ("content_base64", True)),
    "aws_ssm_document": (("content", False),),
}

_SCRIPT_KEY: Final = re.compile(r"\.(sh|bash|py)$")
_COMMENT: Final = re.compile(r"^\s*#(?!!)")


def scripts_of(change: Change, doubts: Doubts, written: frozenset[str]) -> Iterator[tuple[str, str]]:
    """(path, text) of every script of a change; what cannot be read goes to ``doubts``.

    ``written`` are the arguments that the configuration gives: an unknown one that it does not give is no script. Of S3
    objects only those count whose key says that they are scripts.
    """
    for name, encoded in SCRIPTS.get(change.type, ()):
        value = change.after.get(name)
        if (value.is_unknown and name not in written) or not _runs(change):
            continue
        with doubts:
            text = user_data_of(value, encoded=encoded)
            if text:
                yield value.path, text


def _runs(change: Change) -> bool:
    key = change.after.get("key").raw()
    return change.type != "aws_s3_object" or (isinstance(key, str) and _SCRIPT_KEY.search(key) is not None)


def lines_of(text: str) -> Iterator[str]:
    """Lines of a script that do something, with continued lines joined."""
    for line in text.replace("\\\n", " ").splitlines():
        if line.strip() and not _COMMENT.match(line):
            yield line


def template_strings(change: Change) -> Iterator[tuple[str, str]]:
    """(key, text) of every string in the CloudFormation template of a stack; nothing when it cannot be read.

    HW-RUN-004 speaks for templates that cannot be read.
    """
    with contextlib.suppress(UndecidableError):
        yield from strings_in(template(change, "after"))


def json_strings(value: Value, doubts: Doubts) -> Iterator[tuple[str, str]]:
    """(key, text) of every string in a JSON attribute."""
    with doubts:
        yield from strings_in(json_of(value))
