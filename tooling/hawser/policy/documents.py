"""Documents inside strings: IAM policies, CloudFormation templates and user data, read as structures.

A string that stands for a value not final yet is ``UNKNOWN`` inside the structure. A string that cannot be read raises
``OpaqueError``: rules about content then answer undecidable, never pass.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final

from hawser.policy.unknown import OpaqueError, State, both, opposite
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
#: ``{{resolve:ssm:…}}``: CloudFormation asks another service when it deploys.
_DYNAMIC: Final = "{{resolve:"
_NO_VALUE: Final = {"Ref": "AWS::NoValue"}
#: Conditions may name each other; real templates do so two or three deep.
_DEPTH: Final = 20


def resolve(template: Mapping[str, Any], parameters: Mapping[str, Any] | Unknown) -> dict[str, Any]:
    """The template's resources with what the template itself decides put in place: parameters, mappings, conditions.

    ``parameters`` are the stack's; a parameter that is not given has its default. What cannot be known (an unknown
    parameter, an SSM parameter, a NoEcho value that reads ``****``, a branch behind such a condition, a dynamic
    reference) is ``UNKNOWN``; so is a whole resource whose condition is not known. A resource whose condition does not
    hold is left out. References to other resources and pseudo parameters stay as they are: see ``referred``.
    """
    world = _World(template, parameters)
    resources = template.get("Resources")
    found: dict[str, Any] = {}
    for name, resource in resources.items() if isinstance(resources, dict) else ():
        wanted = world.holds(resource["Condition"]) if isinstance(resource, dict) and "Condition" in resource else True
        if isinstance(wanted, Unknown):
            found[str(name)] = UNKNOWN
        elif wanted:
            found[str(name)] = world.resolved(resource)
    return found


def referred(node: Any) -> Iterator[str]:
    """Logical ids that a resolved node still refers to (``Ref``, ``Fn::GetAtt``, ``Fn::Sub``, ``DependsOn`` not)."""
    if isinstance(node, list):
        for child in node:
            yield from referred(child)
    elif isinstance(node, dict):
        for key, child in node.items():
            if key == "Ref" and isinstance(child, str):
                yield child
            elif key == "Fn::GetAtt":
                first = child[0] if isinstance(child, list) and child else child
                if isinstance(first, str):
                    yield first.split(".", 1)[0]
            elif key == "Fn::Sub":
                text = child[0] if isinstance(child, list) and child else child
                if isinstance(text, str):
                    yield from (name.split(".", 1)[0] for bang, name in _SUB.findall(text) if not bang)
            yield from referred(child)


class _World:
    """What a template can decide by itself, on one side of a change."""

    def __init__(self, template: Mapping[str, Any], parameters: Mapping[str, Any] | Unknown) -> None:
        declared = template.get("Parameters")
        self._values: dict[str, Any] = {
            name: _parameter(name, about, parameters)
            for name, about in (declared.items() if isinstance(declared, dict) else ())
        }
        mappings, conditions = template.get("Mappings"), template.get("Conditions")
        self._mappings: Mapping[str, Any] = mappings if isinstance(mappings, dict) else {}
        self._conditions: Mapping[str, Any] = conditions if isinstance(conditions, dict) else {}

    # -- conditions ---------------------------------------------------------------------------------------------

    def holds(self, name: Any, depth: int = _DEPTH) -> State:
        """Whether the condition called ``name`` holds."""
        known = isinstance(name, str) and name in self._conditions and depth > 0
        return self._test(self._conditions[name], depth - 1) if known else UNKNOWN

    def _test(self, node: Any, depth: int) -> State:
        if isinstance(node, dict) and len(node) == 1:
            ((key, argument),) = node.items()
            if key == "Condition":
                return self.holds(argument, depth)
            if key == "Fn::Equals":
                return _equal(self.resolved(argument))
            if key in ("Fn::And", "Fn::Or", "Fn::Not") and isinstance(argument, list) and argument:
                parts = [self._test(part, depth) for part in argument]
                if key == "Fn::Or":
                    return opposite(both(*(opposite(part) for part in parts)))
                return both(*parts) if key == "Fn::And" else opposite(parts[0])
        return UNKNOWN

    # -- values -------------------------------------------------------------------------------------------------

    def resolved(self, node: Any) -> Any:
        """The node with everything put in place that is known."""
        if isinstance(node, str):
            return UNKNOWN if _DYNAMIC in node else node
        if isinstance(node, list):
            return [child for child in map(self.resolved, node) if child != _NO_VALUE]
        if not isinstance(node, dict):
            return node
        if len(node) == 1:
            ((key, argument),) = node.items()
            if key == "Ref" and isinstance(argument, str):
                return self._values.get(argument, node)
            function = self._FUNCTIONS.get(key)
            if function is not None:
                return function(self, argument)
        children = {key: self.resolved(child) for key, child in node.items()}
        return {key: child for key, child in children.items() if child != _NO_VALUE}

    def _if(self, argument: Any) -> Any:
        if not (isinstance(argument, list) and len(argument) == 3):
            return UNKNOWN
        chosen = self.holds(argument[0])
        return UNKNOWN if isinstance(chosen, Unknown) else self.resolved(argument[1 if chosen else 2])

    def _find_in_map(self, argument: Any) -> Any:
        keys = self.resolved(argument)
        node: Any = self._mappings
        if not (isinstance(keys, list) and len(keys) == 3):
            return UNKNOWN
        for key in keys:
            if not isinstance(node, dict) or not isinstance(key, str) or key not in node:
                return UNKNOWN
            node = node[key]
        return self.resolved(node)

    def _select(self, argument: Any) -> Any:
        chosen = self.resolved(argument)
        if isinstance(chosen, list) and len(chosen) == 2 and isinstance(chosen[1], list):
            index, listed = chosen
            if str(index).isdecimal() and int(index) < len(listed):
                return listed[int(index)]
        return UNKNOWN

    def _sub(self, argument: Any) -> Any:
        own: Mapping[str, Any] = {}
        text = argument
        if isinstance(argument, list) and len(argument) == 2 and isinstance(argument[1], dict):
            text, own = argument[0], {key: self.resolved(child) for key, child in argument[1].items()}
        if not isinstance(text, str):
            return {"Fn::Sub": argument}
        values = {**self._values, **own}
        if _DYNAMIC in text or any(
            isinstance(values.get(name), Unknown) for bang, name in _SUB.findall(text) if not bang
        ):
            return UNKNOWN

        def put(match: re.Match[str]) -> str:
            value = values.get(match[2])
            return match[0] if match[1] or not isinstance(value, (str, int, float)) else _as_text(value)

        replaced = _SUB.sub(put, text)
        return {"Fn::Sub": replaced} if _SUB.search(replaced) else replaced

    def _join(self, argument: Any) -> Any:
        whole = self.resolved(argument)
        if not (isinstance(whole, list) and len(whole) == 2 and isinstance(whole[0], str)):
            return UNKNOWN
        parts = whole[1]
        if isinstance(parts, Unknown) or (isinstance(parts, list) and any(isinstance(p, Unknown) for p in parts)):
            return UNKNOWN
        if isinstance(parts, list) and all(isinstance(part, (str, int)) for part in parts):
            return whole[0].join(map(_as_text, parts))
        return {"Fn::Join": whole}

    _FUNCTIONS: ClassVar[Mapping[str, Callable[[_World, Any], Any]]] = {
        "Fn::If": _if,
        "Fn::FindInMap": _find_in_map,
        "Fn::Select": _select,
        "Fn::Sub": _sub,
        "Fn::Join": _join,
    }


def _equal(sides: Any) -> State:
    """Two strings compared; whatever is no plain string or number yet leaves it open."""
    if not (isinstance(sides, list) and len(sides) == 2 and all(isinstance(s, (str, int, float)) for s in sides)):
        return UNKNOWN
    left, right = map(_as_text, sides)
    return left == right


def _as_text(value: Any) -> str:
    """A plain value as CloudFormation puts it into a text: ``true``, not ``True``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


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
