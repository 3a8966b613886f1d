"""Documents inside strings: IAM policies, CloudFormation templates and user data, read as structures.

A string that stands for a value not final yet is ``UNKNOWN`` inside the structure. A string that cannot be read raises
``OpaqueError``: rules about content then answer undecidable, never pass.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from hawser.policy.unknown import OpaqueError
from hawser.terraform.values import UNKNOWN, Unknown, Value

#: Longer strings are not read: CloudFormation's own limit for a template in S3 is 1 MB, all others are below.
LONGEST: Final = 4_000_000

CLUSTER: Final = "AWS::SageMaker::Cluster"


# -- JSON and YAML ---------------------------------------------------------------------------------------------


def json_of(value: Value) -> Any:
    """The JSON document in a string value, with ``UNKNOWN`` for placeholders; ``None`` for null or an empty string.

    Raises ``UndecidableError`` when the string is unknown, ``OpaqueError`` when it is not JSON.
    """
    text = _text(value)
    if not text.strip():
        return None
    return _with_unknowns(_json(text, value.path), value.placeholders)


def template_of(value: Value) -> Any:
    """The CloudFormation template in a string value (JSON, or YAML with ``!Ref``); raises like ``json_of``."""
    text = _text(value)
    if not text.strip():
        return None
    document = _json(text, value.path) if text.lstrip()[0] in "{[" else _yaml(text, value.path)
    return _with_unknowns(document, value.placeholders)


def _text(value: Value) -> str:
    if value.is_unknown and not (isinstance(value.raw(), str) and value.placeholders):
        value.known()  # raises UndecidableError
    text = value.raw()
    if text is None:
        return ""
    if not isinstance(text, str):
        raise OpaqueError(value.path, "is not a string")
    if len(text) > LONGEST:
        raise OpaqueError(value.path, f"is longer than {LONGEST:,} characters")
    return text


def _json(text: str, path: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError):
        raise OpaqueError(path, "is not JSON that can be read (or has a key twice)") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("the same key twice")
    return found


def _yaml(text: str, path: str) -> Any:
    import yaml

    from hawser.policy.template_yaml import TemplateLoader

    try:
        return yaml.load(text, TemplateLoader)  # noqa: S506 - a SafeLoader that knows CloudFormation's tags
    except (yaml.YAMLError, ValueError, RecursionError):
        raise OpaqueError(path, "is neither JSON nor YAML that can be read") from None


def _with_unknowns(node: Any, placeholders: frozenset[str]) -> Any:
    if not placeholders:
        return node
    if isinstance(node, str):
        return UNKNOWN if any(placeholder in node for placeholder in placeholders) else node
    if isinstance(node, dict):
        return {key: _with_unknowns(child, placeholders) for key, child in node.items()}
    if isinstance(node, list):
        return [_with_unknowns(child, placeholders) for child in node]
    return node


# -- CloudFormation --------------------------------------------------------------------------------------------

_SUB: Final = re.compile(r"\$\{(!?)([^}]*)\}")


def resolve(template: Mapping[str, Any], parameters: Mapping[str, Any] | Unknown) -> dict[str, Any]:
    """The template's resources with ``Ref``, ``Fn::Sub`` and ``Fn::Join`` of parameters replaced by their values.

    ``parameters`` are the stack's; a parameter that is not given has its default. A value that cannot be known (an
    unknown parameter, an SSM parameter, a NoEcho value that reads ``****``) is ``UNKNOWN``. References to other
    resources and pseudo parameters stay as they are: equal text before and after means an equal value.
    """
    declared = template.get("Parameters")
    values: dict[str, Any] = {}
    for name, about in declared.items() if isinstance(declared, dict) else ():
        values[name] = _parameter(name, about, parameters)
    resources = template.get("Resources")
    listed = resources.items() if isinstance(resources, dict) else ()
    return {str(name): _resolve(resource, values) for name, resource in listed}


def _parameter(name: str, about: Any, parameters: Mapping[str, Any] | Unknown) -> Any:
    if isinstance(parameters, Unknown):
        return UNKNOWN
    about = about if isinstance(about, dict) else {}
    kind = about.get("Type")
    value = parameters.get(name, about.get("Default", UNKNOWN))
    if value == "****" or (isinstance(kind, str) and kind.startswith("AWS::SSM::Parameter::Value")):
        return UNKNOWN
    if isinstance(kind, str) and (kind == "CommaDelimitedList" or kind.startswith("List<")) and isinstance(value, str):
        return [part.strip() for part in value.split(",")]
    return value


def _resolve(node: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_resolve(child, values) for child in node]
    if not isinstance(node, dict):
        return node
    if len(node) == 1:
        ((key, argument),) = node.items()
        if key == "Ref" and isinstance(argument, str):
            return values.get(argument, node)
        if key == "Fn::Sub":
            return _sub(argument, values)
        if key == "Fn::Join":
            return _join(_resolve(argument, values), node)
    return {key: _resolve(child, values) for key, child in node.items()}


def _sub(argument: Any, values: Mapping[str, Any]) -> Any:
    own: Mapping[str, Any] = {}
    text = argument
    if isinstance(argument, list) and len(argument) == 2 and isinstance(argument[1], dict):
        text, own = argument[0], {key: _resolve(child, values) for key, child in argument[1].items()}
    if not isinstance(text, str):
        return {"Fn::Sub": argument}
    if any(isinstance(own.get(name, values.get(name)), Unknown) for bang, name in _SUB.findall(text) if not bang):
        return UNKNOWN

    def put(match: re.Match[str]) -> str:
        value = own.get(match[2], values.get(match[2]))
        return match[0] if match[1] or not isinstance(value, (str, int, float)) else str(value)

    replaced = _SUB.sub(put, text)
    return {"Fn::Sub": replaced} if _SUB.search(replaced) else replaced


def _join(argument: Any, node: Any) -> Any:
    if not (isinstance(argument, list) and len(argument) == 2 and isinstance(argument[0], str)):
        return node
    parts = argument[1]
    if isinstance(parts, Unknown) or (isinstance(parts, list) and any(isinstance(p, Unknown) for p in parts)):
        return UNKNOWN
    if isinstance(parts, list) and all(isinstance(part, (str, int)) for part in parts):
        return argument[0].join(str(part) for part in parts)
    return {"Fn::Join": argument}


# -- user data -------------------------------------------------------------------------------------------------


def user_data_of(value: Value, *, encoded: bool) -> str:
    """The text of user data; ``encoded`` when the attribute holds base64 (then plain text is taken as it is, too).

    ``""`` for null. Raises ``UndecidableError`` when it is unknown, ``OpaqueError`` when it is compressed or binary.
    """
    text = _text(value)
    if not encoded or not text:
        return text
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return text
    if data[:2] == b"\x1f\x8b":
        raise OpaqueError(value.path, "is compressed")
    try:
        return _mime_parts(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise OpaqueError(value.path, "is not text") from None


def _mime_parts(text: str) -> str:
    """MIME multipart user data with its base64 parts decoded; other text as it is."""
    if "multipart/" not in text[:2000] or "base64" not in text:
        return text
    import email

    parts = []
    for part in email.message_from_string(text).walk():
        payload = part.get_payload(decode=True)
        if isinstance(payload, bytes):
            parts.append(payload.decode("utf-8", "replace"))
    return "\n".join(parts) or text


def strings_in(node: Any) -> Iterator[tuple[str, str]]:
    """(key, text) of every string in a structure; elements of a list carry the key of the list."""
    stack: list[tuple[str, Any]] = [("", node)]
    while stack:
        key, item = stack.pop()
        if isinstance(item, str):
            yield key, item
        elif isinstance(item, dict):
            stack.extend((str(name), child) for name, child in reversed(list(item.items())))
        elif isinstance(item, list):
            stack.extend((key, child) for child in reversed(item))
